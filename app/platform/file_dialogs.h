#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include "app/view/toolkit/desktop_services.h"

namespace lab::platform {

/// Shows one type of file dialog until it is answered or asked to stop, which closes it. Runs on a
/// background thread.
using AskFile = std::function<view::FileAnswer(const view::FileQuestion&, const std::stop_token&)>;

/// The file dialogs of this desktop, best first: its portal, zenity, kdialog. The environment
/// variable ATTENTION_LAB_FILE_DIALOG selects one of them (`portal`, `zenity`, `kdialog`) or none
/// (`own`). Detects them without blocking. `x11_window` is their parent window, 0 when the window
/// is not an X11 one.
std::vector<AskFile> native_file_dialogs(unsigned long x11_window);

/// Shows one file dialog of the desktop at a time in the background.
class FileDialogs {
 public:
  /// Will try `dialogs` in order. `on_answer` is called on another thread when one was answered.
  FileDialogs(std::vector<AskFile> dialogs, std::function<void()> on_answer);
  /// Closes the open dialog.
  ~FileDialogs() { withdraw(); }
  /// Can be neither copied nor moved.
  FileDialogs(const FileDialogs&) = delete;
  FileDialogs& operator=(const FileDialogs&) = delete;

  /// False when there are no dialogs, or none of them worked.
  bool available() const { return broken_ < dialogs_.size(); }
  /// As in DesktopServices. A dialog that does not work is skipped from then on.
  bool ask(const view::FileQuestion& question);
  /// As in DesktopServices.
  std::optional<view::FileAnswer> take_answer();
  /// As in DesktopServices.
  void withdraw();

 private:
  view::FileAnswer run(const view::FileQuestion& question, const std::stop_token& stop);

  std::vector<AskFile> dialogs_;
  std::function<void()> on_answer_;
  std::atomic<std::size_t> broken_ = 0;  // how many, starting with the first, do not work
  std::mutex mutex_;
  std::optional<view::FileAnswer> answer_;  // guarded by the mutex
  std::jthread thread_;                     // while a dialog is open
};

}  // namespace lab::platform
