#pragma once

#include <sys/types.h>

#include <string>

#include "app/base/error.h"
#include "app/files/io/descriptor.h"

namespace lab::connection {

/// Where the window listens: $ATTENTION_LAB_SOCKET, else attention-lab/window.socket in
/// $XDG_RUNTIME_DIR, else /tmp/attention-lab-UID/window.socket. Empty when the variable is set and
/// empty: there is no connection.
std::string socket_path();

/// A socket that other programs of the same user can connect to; the file is removed when this is
/// destroyed.
class ListeningSocket {
 public:
  /// Listens at `path`. Its folder is made if it is missing, for the user alone. A socket file that
  /// nobody listens at is replaced. Fails with kIo and a sentence when the folder belongs to
  /// someone else or is open to others, and with kFailed when another window listens there.
  static Expected<ListeningSocket> listen(const std::string& path);
  /// The socket that was moved from owns nothing and removes nothing when destroyed.
  ListeningSocket(ListeningSocket&&) = default;
  ListeningSocket& operator=(ListeningSocket&&) = default;
  ~ListeningSocket();

  /// The listening socket, which does not block.
  int fd() const { return socket_.get(); }

 private:
  ListeningSocket(std::string path, files::Descriptor lock, files::Descriptor socket);

  std::string path_;
  files::Descriptor lock_;  // held while this listens, so that two windows cannot both replace it
  files::Descriptor socket_;
};

/// A connection to the listener at `path`. Fails with kIo when nobody does, or when the listener
/// or the folder belongs to someone else.
Expected<files::Descriptor> connect_to(const std::string& path);

/// The user at the other end of a connection; −1 when it is not known.
uid_t user_of_peer(int fd);

}  // namespace lab::connection
