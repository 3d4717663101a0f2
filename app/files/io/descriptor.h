#pragma once

#include <fcntl.h>
#include <sys/types.h>

#include <string>
#include <string_view>
#include <utility>

#include "app/base/error.h"

namespace lab::files {

/// Owns a file descriptor and closes it when destroyed; −1 is none.
class Descriptor {
 public:
  /// Owns none.
  Descriptor() = default;
  /// Takes ownership of `fd`.
  explicit Descriptor(int fd) : fd_(fd) {}
  /// Takes the descriptor over; `other` has none then.
  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();

  /// The descriptor itself, −1 when there is none.
  int get() const { return fd_; }
  /// Gives up the descriptor: the caller must close it.
  int release() { return std::exchange(fd_, -1); }
  /// Closes it now. Returns false, with errno set, when the file system reports a delayed error.
  bool close();

 private:
  int fd_ = -1;
};

/// Opens `path`, relative to the open folder `folder`, retrying when a signal interrupts; the
/// descriptor is closed in programs that are started. Returns none, with errno set, on failure.
Descriptor open_descriptor(const std::string& path, int flags, mode_t mode = 0,
                           int folder = AT_FDCWD);

/// Writes all of `bytes`, retrying when a signal interrupts. Returns false, with errno set, on
/// failure.
bool write_all(int fd, std::string_view bytes);

/// A kIo error: "cannot WHAT "PATH": " followed by the text of errno.
tl::unexpected<Error> io_error(const char* what, const std::string& path);

}  // namespace lab::files
