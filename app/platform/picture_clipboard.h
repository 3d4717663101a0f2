#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "app/base/error.h"

namespace lab::platform {

/// A picture on the X11 clipboard. GLFW's clipboard holds only text; this one has a connection and
/// a thread of its own, so that others are answered while the window sleeps. Whichever took the
/// clipboard last has it.
class PictureClipboard {
 public:
  /// Connects to the display that DISPLAY names. Fails with kFailed when it does not answer.
  static Expected<std::unique_ptr<PictureClipboard>> open();
  /// Leaves the picture to the clipboard manager, where there is one, and lets go.
  ~PictureClipboard();
  PictureClipboard(const PictureClipboard&) = delete;
  PictureClipboard& operator=(const PictureClipboard&) = delete;

  /// Takes the clipboard for a PNG picture. Fails with kFailed when the display does not let it.
  Expected<void> copy(const std::string& png);

 private:
  class Connection;
  explicit PictureClipboard(std::unique_ptr<Connection> connection);
  void run();
  std::optional<std::string> next_picture();
  void report(std::optional<bool> taken);
  bool is_over();
  void wait_until_saved();

  std::unique_ptr<Connection> connection_;
  std::mutex mutex_;  // guards what follows, up to the thread
  std::condition_variable answered_;
  std::optional<std::string> wanted_;
  std::optional<bool> taken_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace lab::platform
