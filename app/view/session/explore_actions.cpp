#include "app/view/session/explore_actions.h"

#include <imgui.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/document/analysis/exploration.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/files/open.h"
#include "app/translation/words.h"
#include "app/view/session/ask_file.h"
#include "app/view/session/dialog_parts.h"
#include "app/view/session/file_list.h"
#include "app/view/widgets/dialog_text.h"

namespace lab::view {
namespace {

namespace fs = std::filesystem;

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

}  // namespace

void ask_explored_text(Ui& ui) { ask_file(ui, Dialog::kExploredText, {}); }

void paste_explored_text(Ui& ui) {
  const char* const text = ImGui::GetClipboardText();
  if (text == nullptr || *text == '\0') {
    ui.state.notice = tr("There is no text in the clipboard.");
    return;
  }
  explore_text(ui, text, tr("the clipboard"));
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
  write_text(ui, tr("A text of at most 1 MB, over which every head is explored:"));
  const bool chosen = file_list(ui);
  if (finish_row(ui, tr("Open")) || chosen) accept_explored_text(ui);
}

}  // namespace lab::view
