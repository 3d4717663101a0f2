#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "app/base/error.h"

namespace lab::hub {

/// How far a file is.
struct Progress {
  std::int64_t received = 0, size = 0;  ///< bytes, those of earlier attempts too
  double rate = 0;                      ///< bytes a second
};
/// Called while a file arrives, at most ten times a second; false: stop.
using ReportProgress = std::function<bool(const Progress&)>;

/// Asked several times a second, also while nothing arrives; true: stop. It may be empty.
using AskStopped = std::function<bool()>;

/// Where something is to be got.
struct Source {
  std::string url;
  std::string token{};    ///< of the user at the hub; empty: none. It is sent to no other host
  int attempts = 6;       ///< of what may succeed later: after 429, 5xx, and cut connections
  double first_wait = 1;  ///< seconds before the second attempt; each wait is twice the one before,
                          ///< or what the server asks for, up to a minute
  AskStopped stopped{};
};

/// Why nothing was got.
struct TransferError {
  Error error;
  bool unreachable = false;  ///< no server answered
};
template <typename T>
using Transferred = tl::expected<T, TransferError>;

/// A text of at most `largest` bytes. Fails with kIo, in words for a person: a model that there is
/// not (404), a token that is needed (401, 403), a server that is busy (429, 5xx) or out of reach.
/// Fails with kFailed when it was stopped.
Transferred<std::string> get_text(const Source& source, std::size_t largest);

/// A file of `size` bytes into `path`, after what an earlier attempt left there. What was received
/// stays when it fails, so that the next call goes on. Fails likewise, also when `report` stopped
/// it.
Transferred<void> get_file(const Source& source, const std::string& path, std::int64_t size,
                           const ReportProgress& report);

}  // namespace lab::hub
