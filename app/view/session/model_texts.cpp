#include "app/view/session/model_texts.h"

#include <imgui.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/document/analysis/exploration.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/files/open.h"
#include "app/translation/words.h"
#include "app/view/session/ask_file.h"
#include "app/view/session/dialog_parts.h"
#include "app/view/session/file_list.h"
#include "app/view/session/training_actions.h"
#include "app/view/widgets/dialog_text.h"

namespace lab::view {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestLearned = std::size_t{1} << 20;

// The text of the clipboard; nothing, and says so, where there is none.
std::optional<std::string> clipboard_text(Ui& ui) {
  const char* const text = ImGui::GetClipboardText();
  if (text != nullptr && *text != '\0') return text;
  ui.state.notice = tr("There is no text in the clipboard.");
  return std::nullopt;
}

// The content of a dialog that asks for a text file.
void text_file_dialog(Ui& ui, const std::string& question, void (*accept)(Ui&)) {
  write_text(ui, question);
  const bool chosen = file_list(ui);
  if (finish_row(ui, tr("Open")) || chosen) accept(ui);
}

void explore_text(Ui& ui, std::string text, std::string name) {
  ui.state.model.explored = std::make_shared<const std::string>(std::move(text));
  ui.state.model.explored_name = std::move(name);
}

// Reads files in the background, and explores them as one text.
void explore_files(Ui& ui, std::vector<std::string> paths, const std::string& name) {
  const auto work = [paths = std::move(paths), name](attention::WorkWatch&) -> Job::Finish {
    std::string text;
    for (const std::string& path : paths) {
      const auto read = files::read_text_file(path, kLongestExplored);
      if (!read) return report_failure(read.error());
      text += *read + "\n";
    }
    return [text = std::move(text), name](Ui& after) { explore_text(after, text, name); };
  };
  ui.state.error.clear();
  ui.jobs.start(ui, {tr("opening {}", {name}), work, false});
}

void learn_text(Ui& ui, std::string text) {
  attention::training::TrainingOptions options = next_options(ui);
  options.task = attention::training::default_options(attention::training::TaskType::kText).task;
  options.task.text = std::move(text);
  const auto wrong = complaints(options);
  if (wrong.empty()) return use_training_options(ui, options);
  ui.state.error = tr(wrong.front());
}

}  // namespace

void ask_explored_text(Ui& ui) { ask_file(ui, Dialog::kExploredText, {}); }

void paste_explored_text(Ui& ui) {
  if (auto text = clipboard_text(ui)) explore_text(ui, std::move(*text), tr("the clipboard"));
}

void explore_guide(Ui& ui) {
  const fs::path folder = fs::path(files::assets_folder()) / "guide";
  std::vector<std::string> paths;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none))
    if (entry.path().extension() == ".md") paths.push_back(entry.path().string());
  std::ranges::sort(paths);
  explore_files(ui, std::move(paths), tr("the guide"));
}

void accept_explored_text(Ui& ui) {
  if (enters_folder(ui)) return;
  const std::string path = chosen_path(ui);
  if (path.empty()) return;
  explore_files(ui, {path}, files::file_name_of(path));
  settle_dialog(ui);
}

void explored_text_dialog(Ui& ui) {
  text_file_dialog(ui, tr("A text of at most 1 MB, over which every head is explored:"),
                   accept_explored_text);
}

void ask_training_text(Ui& ui) { ask_file(ui, Dialog::kTrainingText, {}); }

void paste_training_text(Ui& ui) {
  if (auto text = clipboard_text(ui)) learn_text(ui, std::move(*text));
}

void accept_training_text(Ui& ui) {
  if (enters_folder(ui)) return;
  const std::string path = chosen_path(ui);
  if (path.empty()) return;
  const auto work = [path](attention::WorkWatch&) -> Job::Finish {
    auto read = files::read_text_file(path, kLongestLearned);
    if (!read) return report_failure(read.error());
    return [text = std::move(*read)](Ui& after) { learn_text(after, text); };
  };
  ui.state.error.clear();
  ui.jobs.start(ui, {tr("opening {}", {files::file_name_of(path)}), work, false});
  settle_dialog(ui);
}

void training_text_dialog(Ui& ui) {
  text_file_dialog(ui, tr("A text of at most 1 MB, whose next word the network learns to say:"),
                   accept_training_text);
}

}  // namespace lab::view
