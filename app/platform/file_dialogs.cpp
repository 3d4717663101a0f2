#include "app/platform/file_dialogs.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "app/platform/dialog_portal.h"
#include "app/platform/dialog_program.h"

namespace lab::platform {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

struct NamedDialog {
  std::string_view name;
  AskFile ask;
};

std::vector<NamedDialog> dialogs_there_are(unsigned long window) {
  std::vector<NamedDialog> found;
  if (const auto program = find_program("zenity"); !program.empty()) {
    found.push_back(
        {"zenity", [=](const view::FileQuestion& question, const std::stop_token& stop) {
           return ask_program(zenity_command(program, question), window, stop);
         }});
  }
  if (const auto program = find_program("kdialog"); !program.empty()) {
    found.push_back(
        {"kdialog", [=](const view::FileQuestion& question, const std::stop_token& stop) {
           return ask_program(kdialog_command(program, question, window), window, stop);
         }});
  }
  // Each fits the look of its desktop.
  if (variable("XDG_CURRENT_DESKTOP").find("KDE") != std::string_view::npos)
    std::ranges::reverse(found);
  if (const auto address = session_bus_address(); !address.empty()) {
    found.insert(found.begin(),
                 {"portal", [=](const view::FileQuestion& question, const std::stop_token& stop) {
                    return ask_portal(address, question, window, stop);
                  }});
  }
  return found;
}

}  // namespace

std::vector<AskFile> native_file_dialogs(unsigned long x11_window) {
  const std::string_view wished = variable("ATTENTION_LAB_FILE_DIALOG");
  std::vector<AskFile> dialogs;
  for (NamedDialog& dialog : dialogs_there_are(x11_window))
    if (wished.empty() || wished == dialog.name) dialogs.push_back(std::move(dialog.ask));
  return dialogs;
}

FileDialogs::FileDialogs(std::vector<AskFile> dialogs, std::function<void()> on_answer)
    : dialogs_(std::move(dialogs)), on_answer_(std::move(on_answer)) {}

bool FileDialogs::ask(const view::FileQuestion& question) {
  if (!available() || thread_.joinable()) return false;
  thread_ = std::jthread([this, question](const std::stop_token& stop) {
    view::FileAnswer answer = run(question, stop);
    if (stop.stop_requested()) return;
    {
      const std::scoped_lock lock(mutex_);
      answer_ = std::move(answer);
    }
    on_answer_();
  });
  return true;
}

// A dialog that failed without output is not installed; try the next one.
view::FileAnswer FileDialogs::run(const view::FileQuestion& question, const std::stop_token& stop) {
  for (; available(); ++broken_) {
    view::FileAnswer answer = dialogs_[broken_](question, stop);
    if (stop.stop_requested() || answer != view::no_dialog()) return answer;
  }
  return view::no_dialog();
}

std::optional<view::FileAnswer> FileDialogs::take_answer() {
  std::optional<view::FileAnswer> answer;
  {
    const std::scoped_lock lock(mutex_);
    answer = std::exchange(answer_, std::nullopt);
  }
  if (answer) thread_.join();  // it has nothing left to do
  return answer;
}

void FileDialogs::withdraw() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
  const std::scoped_lock lock(mutex_);
  answer_.reset();
}

}  // namespace lab::platform
