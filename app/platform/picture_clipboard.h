#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "app/base/error.h"

namespace lab::platform {

/// An image on the X11 clipboard. The clipboard of GLFW holds only text; this one has its own
/// connection and thread, so that it answers requests while the window sleeps. Whichever of them
/// took the clipboard last owns it.
class PictureClipboard {
 public:
  /// Connects to the display in DISPLAY. Fails with kFailed when it does not answer.
  static Expected<std::unique_ptr<PictureClipboard>> open();
  /// Passes the image to the clipboard manager, if there is one, and gives up the clipboard.
  ~PictureClipboard();
  /// Can be neither copied nor moved: its thread refers to it.
  PictureClipboard(const PictureClipboard&) = delete;
  PictureClipboard& operator=(const PictureClipboard&) = delete;

  /// Takes the clipboard for a PNG. Fails with kFailed when the display refuses.
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
  std::mutex mutex_;  // guards the members below, up to the thread
  std::condition_variable answered_;
  std::optional<std::string> requested_;
  std::optional<bool> taken_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace lab::platform
