#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "app/connection/frame.h"
#include "app/connection/listening_socket.h"

namespace lab::connection {

/// A program that is connected; a number is never used twice.
using ClientId = std::uint64_t;

class Listener;

/// What a listener calls, on a separate thread.
struct ListenerEvents {
  /// A frame has arrived at the listener. Call Listener::finish_frame once it is dealt with: a
  /// client has only a few frames in work at a time.
  std::function<void(Listener&, ClientId, Frame)> on_frame;
  /// A client has disconnected, for whatever reason.
  std::function<void(ClientId)> on_close;
};

/// The limits of a listener.
struct ListenerLimits {
  std::size_t clients = 16;
  std::size_t frames = 4;  ///< of a client that are in work, before more is read from it
  std::chrono::milliseconds timeout{2000};       ///< with a frame or an answer that does not go on
  std::uint64_t bytes = std::uint64_t{1} << 32;  ///< of all frames, announced or in work
  std::function<bool(uid_t)> accepts = {};       ///< which users; empty: the program's user
};

/// Connections with other programs. A thread reads and writes all of them, so that no client can
/// make the window wait. A client that sends what is no frame, or stops within one, gets one answer
/// with the reason and is disconnected.
class Listener {
 public:
  /// Fails as ListeningSocket::listen does.
  static Expected<std::unique_ptr<Listener>> open(const std::string& path, ListenerEvents events,
                                                  ListenerLimits limits = {});
  /// Sends what can be sent at once, and disconnects everyone.
  ~Listener();
  /// Can be neither copied nor moved: its thread refers to it.
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  // From any thread.

  /// Sends a frame; a client that has disconnected gets nothing.
  void send(ClientId client, const Frame& frame);
  /// Says that a frame of that client is dealt with.
  void finish_frame(ClientId client);
  /// Disconnects a client after it got what was sent, and this reason.
  void refuse(ClientId client, const std::string& reason);

 private:
  using Clock = std::chrono::steady_clock;

  struct Client {
    files::Descriptor socket;
    FrameReader reader = {};
    std::deque<std::string> out = {};
    std::size_t sent = 0;                            // of the first of `out`
    std::deque<std::uint64_t> in_work = {};          // the bytes of these frames
    std::deque<Frame> ready = {};                    // more, that came with them
    bool ends = false;                               // once `out` is sent
    bool closed = false;                             // is removed
    Clock::time_point last_progress = Clock::now();  // the last progress
  };
  struct Order {
    ClientId client = 0;
    std::string bytes = {};
    bool finishes = false, ends = false;
  };

  Listener(ListeningSocket listening, ListenerEvents events, ListenerLimits limits);

  void order(Order order);
  void run(const std::stop_token& stop);
  bool poll_all();
  void take_orders();
  void accept_clients();
  void read_from(ClientId id, Client& client);
  void take_bytes(ClientId id, Client& client, std::string_view bytes);
  void hand_out(ClientId id, Client& client);
  void write_to(Client& client);
  void end_stalled();
  void remove_closed();
  bool reads_from(const Client& client) const;
  bool is_idle(const Client& client) const;
  int milliseconds_to_wait() const;
  std::uint64_t announced() const;
  void end_with(Client& client, const std::string& reason);

  ListeningSocket socket_;
  ListenerEvents events_;
  ListenerLimits limits_;
  files::Descriptor wake_;
  std::map<ClientId, Client> clients_;  // of the thread alone, as are these
  ClientId newest_ = 0;
  std::string buffer_;
  bool can_accept_ = false;
  std::vector<ClientId> readable_, writable_;

  std::mutex mutex_;
  std::vector<Order> orders_;  // guarded by mutex_
  std::jthread thread_;        // last: it uses the others
};

/// The JSON of an answer to nothing in particular that says what went wrong.
std::string failure_json(const std::string& reason);

}  // namespace lab::connection
