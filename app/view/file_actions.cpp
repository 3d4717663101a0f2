#include "app/view/file_actions.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "app/figure/png_writer.h"
#include "app/figure/stage_figure.h"
#include "app/files/bytes.h"
#include "app/files/open.h"
#include "app/files/paths.h"
#include "app/files/session.h"
#include "app/view/ask_file.h"
#include "app/view/pending.h"

namespace lab {
namespace {

// Letters and digits of `title`, the rest as single dashes.
std::string slug(const std::string& title) {
  std::string name;
  for (const char c : title) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  while (!name.empty() && name.back() == '-') name.pop_back();
  return name.empty() ? "attention" : name;
}

// A stage of the focused head, a column of a paper wide.
FigureOptions figure_options(const Ui& ui, attention::Stage stage) {
  FigureOptions options;
  options.stage = stage;
  options.head = ui.state.head;
  if (stage == attention::Stage::kWeights) options.palette = ui.state.weights_palette;
  options.annotate = ui.state.dialog.export_values;
  options.dark = is_dark(ui.state.theme);
  return options;
}

// What the export dialog describes.
FigureOptions figure_options(const Ui& ui) {
  const DialogState& dialog = ui.state.dialog;
  FigureOptions options = figure_options(ui, dialog.export_stage);
  if (dialog.export_what == 1) options.head.reset();
  if (dialog.export_what == 2) options.stage.reset();
  if (dialog.export_what == 1) options.range_rule = RangeRule::kShared;
  options.width_mm = dialog.export_what == 0 ? 89 : 183;
  return options;
}

// Small enough to be seen whole.
Document new_session() {
  attention::Config config;
  config.d_model = config.d_out = 8;
  config.n_heads = 2;
  config.d_k = config.d_v = 4;
  Document document = make_document("Type a sentence here", config, 1);
  document.title = "New session";
  return document;
}

void start_anew(Ui& ui) {
  ui.queue(intent::Replace{new_session(), {}});
  ui.state.notice = "A new session: 2 heads with random weights. Type your sentence.";
  ui.state.sentence.focus = true;
}

Expected<std::string> picture(const Ui& ui, const FigureOptions& options) {
  return write_png(stage_figure(ui.document(), ui.trace(), options), options.dpi);
}

}  // namespace

void open_source(Ui& ui, const std::string& source) {
  if (source == kNewSession) return start_anew(ui);
  std::vector<std::string> notes;
  auto document = open_document(source, &notes);
  if (!document) {
    ui.state.error = document.error().message;
    return;
  }
  ui.state.notice = notes.empty() ? "" : notes.front();
  bool is_example = false;
  for (const ExampleInfo& example : examples()) is_example |= example.name == source;
  ui.queue(intent::Replace{std::move(*document), is_example ? std::string() : source});
}

bool save_session(Ui& ui, const std::string& path) {
  const auto written = write_bytes(path, write_session(ui.edited()));
  if (!written) {
    ui.state.error = written.error().message;
    return false;
  }
  ui.state.notice = "Saved to " + path;
  ui.queue(intent::MarkSaved{path});
  return true;
}

std::string session_path(const Ui& ui) {
  const std::string& path = ui.workspace.path();
  return check_session_path(path) ? path : std::string();
}

void ask_session_path(Ui& ui) {
  const std::filesystem::path path = ui.workspace.path();
  ask_file(ui, Dialog::kSaveAs,
           path.empty() ? "session.json" : std::filesystem::path(path).replace_extension(".json"));
}

void leave_now(Ui& ui, const std::string& source) {
  if (source.empty()) {
    ui.state.quit = true;
  } else {
    open_source(ui, source);
  }
}

void leave_document(Ui& ui, const std::string& source) {
  if (!commit_pending(ui)) return;
  if (!ui.workspace.modified()) return leave_now(ui, source);
  open_dialog(ui, Dialog::kUnsaved);
  ui.state.dialog.then_open = source;
}

void open_dropped(Ui& ui, const std::vector<std::string>& files) {
  const auto is_file = [](const std::string& path) {
    std::error_code none;
    return !std::filesystem::is_directory(path, none);
  };
  const auto found = std::ranges::find_if(files, is_file);
  const std::string& chosen = found == files.end() ? files.front() : *found;
  leave_document(ui, chosen);
  if (files.size() == 1 || !ui.state.error.empty() || !ui.state.notice.empty()) return;
  ui.state.notice =
      "One file is shown at a time: " + std::filesystem::path(chosen).filename().string() + " of " +
      std::to_string(files.size());
}

void open_dialog(Ui& ui, Dialog dialog, const std::string& path) {
  ui.state.dialog.open = dialog;
  ui.state.dialog.just_opened = true;
  ++ui.state.dialog.number;
  ui.state.dialog.path = path;
  ui.state.dialog.problem.clear();
  ui.state.dialog.replace.clear();
  ui.state.dialog.search.clear();
  ui.state.dialog.choice = 0;
  ui.state.dialog.then_leave = false;
  ui.state.dialog.asking = false;
}

void open_export_dialog(Ui& ui, attention::Stage stage) {
  ui.state.dialog.export_stage = stage;
  ui.state.dialog.export_what = 0;
  open_dialog(ui, Dialog::kExport, picture_path(ui));
}

std::string picture_path(const Ui& ui) {
  const DialogState& dialog = ui.state.dialog;
  const std::string head = "head-" + std::to_string(ui.state.head + 1);
  std::string what(stage_name(dialog.export_stage));
  if (dialog.export_what == 0 && is_per_head(dialog.export_stage)) what += "-" + head;
  if (dialog.export_what == 1) what += "-all-heads";
  if (dialog.export_what == 2) what = "pipeline-" + head;
  const auto folder = std::filesystem::path(ui.workspace.path()).parent_path();
  return (folder / (slug(ui.document().title) + "-" + what + ".png")).string();
}

bool export_picture(Ui& ui, const std::string& path) {
  const auto written = picture(ui, figure_options(ui)).and_then([&](const std::string& png) {
    return write_bytes(path, png);
  });
  if (!written) {
    ui.state.error = written.error().message;
    return false;
  }
  ui.state.notice = "Picture saved to " + path;
  return true;
}

Expected<std::string> card_picture(const Ui& ui) {
  return picture(ui, figure_options(ui, ui.state.selection.stage));
}

bool may_write(Ui& ui, const std::string& path) {
  DialogState& dialog = ui.state.dialog;
  std::error_code none;
  const bool own = std::filesystem::equivalent(path, ui.workspace.path(), none);
  if (own || dialog.replace == path || !std::filesystem::exists(path, none)) return true;
  dialog.replace = path;
  dialog.problem = std::filesystem::path(path).filename().string() + " exists. Replace?";
  return false;
}

}  // namespace lab
