#include "app/view/session/training_text.h"

#include <imgui.h>

#include <string>
#include <utility>

#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/translation/words.h"
#include "app/view/session/ask_file.h"
#include "app/view/session/dialog_parts.h"
#include "app/view/session/file_list.h"
#include "app/view/session/training_actions.h"
#include "app/view/widgets/dialog_text.h"

namespace lab::view {
namespace {

constexpr std::size_t kLongestLearned = std::size_t{1} << 20;

void learn_text(Ui& ui, std::string text) {
  attention::training::TrainingOptions options = next_options(ui);
  options.task = attention::training::default_options(attention::training::TaskKind::kText).task;
  options.task.text = std::move(text);
  const auto wrong = complaints(options);
  if (wrong.empty()) return use_training_options(ui, options);
  ui.state.error = tr(wrong.front());
}

}  // namespace

void ask_training_text(Ui& ui) { ask_file(ui, Dialog::kTrainingText, {}); }

void paste_training_text(Ui& ui) {
  const char* const text = ImGui::GetClipboardText();
  if (text != nullptr && *text != '\0') return learn_text(ui, text);
  ui.state.notice = tr("There is no text in the clipboard.");
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
  write_text(ui, tr("A text of at most 1 MB, whose next word the network learns to say:"));
  const bool chosen = file_list(ui);
  if (finish_row(ui, tr("Open")) || chosen) accept_training_text(ui);
}

}  // namespace lab::view
