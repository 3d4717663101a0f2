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

/// Shows one kind of file dialog until it is answered, or until it is told to stop, which closes
/// it. Runs on a thread of its own.
using AskFile = std::function<view::FileAnswer(const view::FileQuestion&, const std::stop_token&)>;

/// The file dialogs of this desktop, the best first: its portal, zenity, kdialog. The environment
/// variable ATTENTION_LAB_FILE_DIALOG chooses one of them (`portal`, `zenity`, `kdialog`) or none
/// (`own`). Finds out what there is without waiting for it. `x11_window` is the window they belong
/// to, 0 when it is none of X11's.
std::vector<AskFile> native_file_dialogs(unsigned long x11_window);

/// One file dialog of the desktop at a time, which the window does not wait for.
class FileDialogs {
 public:
  /// Will try `dialogs` in order. `wake` is called from another thread when one was answered.
  FileDialogs(std::vector<AskFile> dialogs, std::function<void()> wake);
  /// Closes the dialog that is open.
  ~FileDialogs() { withdraw(); }
  FileDialogs(const FileDialogs&) = delete;
  FileDialogs& operator=(const FileDialogs&) = delete;

  /// False when there is none, or none of them worked.
  bool available() const { return broken_ < dialogs_.size(); }
  /// As in DesktopServices. One that does not work is passed over from then on.
  bool ask(const view::FileQuestion& question);
  std::optional<view::FileAnswer> take_answer();
  void withdraw();

 private:
  view::FileAnswer run(const view::FileQuestion& question, const std::stop_token& stop);

  std::vector<AskFile> dialogs_;
  std::function<void()> wake_;
  std::atomic<std::size_t> broken_ = 0;  // so many, from the first on, do not work
  std::mutex mutex_;
  std::optional<view::FileAnswer> answer_;  // guarded by the mutex
  std::jthread thread_;                     // while a dialog is open
};

}  // namespace lab::platform
