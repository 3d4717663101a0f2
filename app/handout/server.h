#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "app/base/error.h"
#include "app/handout/desk.h"

namespace lab::handout {

/// Answers the path of an address, decoded; called in another thread, one call at a time.
using Answer = std::function<Reply(std::string_view path)>;

/// A server of HTTP on the loopback interface (127.0.0.1), which other machines cannot reach.
/// Requests are answered only where they name this machine as their host, so that no other site's
/// page reads them by a name that leads here, and only GET and HEAD.
class Server {
 public:
  /// Serves on `port`, or on a free one for 0, until it is destroyed. Fails with kFailed when that
  /// port is taken.
  static Expected<Server> start(std::uint16_t port, Answer answer);

  Server(Server&&) noexcept;
  Server& operator=(Server&&) noexcept;
  ~Server();

  /// The port that it serves on.
  std::uint16_t port() const;
  /// "http://127.0.0.1:PORT", without a slash at its end.
  std::string address() const;

 private:
  struct State;
  explicit Server(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace lab::handout
