#include <imgui.h>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "app/base/strings.h"
#include "app/figure/figure_writers.h"
#include "app/files/io/paths.h"
#include "app/translation/words.h"
#include "app/view/export/animation_actions.h"
#include "app/view/export/export_actions.h"
#include "app/view/export/export_files.h"
#include "app/view/export/export_memory.h"
#include "app/view/export/export_options.h"
#include "app/view/export/figure_actions.h"
#include "app/view/export/model_figures.h"
#include "app/view/export/number_actions.h"
#include "app/view/export/sentence_exports.h"
#include "app/view/maps/heads.h"
#include "app/view/session/dialog_parts.h"
#include "app/view/state/ui.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/option_rows.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

std::string typed_preset(const Ui& ui) { return std::string(trimmed(ui.state.dialog.preset)); }

auto find_preset(DialogState& dialog, const std::string& name) {
  return std::ranges::find(dialog.presets, name, &ExportPreset::name);
}

// The first entry says what the list is.
std::vector<std::string> preset_names(const DialogState& dialog) {
  std::vector<std::string> names{dialog.presets.empty() ? tr("none yet") : tr("choose")};
  for (const ExportPreset& preset : dialog.presets) names.push_back(preset.name);
  return names;
}

// Saves the present choices under the name in the field, in place of those that have it; deletes
// those. Both do nothing when there is no name.
void save_preset(Ui& ui) {
  DialogState& dialog = ui.state.dialog;
  const std::string name = typed_preset(ui);
  if (name.empty()) return;
  const auto found = find_preset(dialog, name);
  if (found == dialog.presets.end())
    dialog.presets.push_back({name, lasting_choices(dialog.exporting)});
  else
    found->choices = lasting_choices(dialog.exporting);
  std::ranges::sort(dialog.presets, {}, &ExportPreset::name);
  dialog.done = tr("Kept these choices as “{}”", {name});
}

void delete_preset(Ui& ui) {
  DialogState& dialog = ui.state.dialog;
  const std::string name = typed_preset(ui);
  if (std::erase_if(dialog.presets, [&](const auto& one) { return one.name == name; }) == 0) return;
  dialog.preset.clear();
  dialog.done = tr("Deleted “{}”", {name});
}

// Takes the choices of the preset at `index` in the list; what belongs to the sentence stays.
void use_preset(Ui& ui, std::size_t index) {
  DialogState& dialog = ui.state.dialog;
  const ExportPreset preset = dialog.presets.at(index);
  const ExportState before = dialog.exporting;
  dialog.preset = preset.name;
  dialog.exporting = preset.choices;
  dialog.exporting.figure.stage = before.figure.stage;
  dialog.exporting.figure.title = before.figure.title;
  dialog.exporting.figure.names = before.figure.names;
  dialog.exporting.queries = before.queries, dialog.exporting.keys = before.keys;
}

// The named choices of the export dialog: a list to choose from, and a field with the name under
// which the present ones are saved.
void preset_row(Ui& ui) {
  DialogState& dialog = ui.state.dialog;
  const auto found = find_preset(dialog, typed_preset(ui));
  const bool known = found != dialog.presets.end();
  const auto chosen = known ? static_cast<std::size_t>(found - dialog.presets.begin()) + 1 : 0;
  begin_row(ui, tr("Preset"));
  const auto taken = row_list(ui, "dialog/preset", preset_names(dialog), chosen, 150);
  if (taken && *taken > 0) use_preset(ui, *taken - 1);
  const bool typing =
      row_text(ui, tr("name##of a preset"), "dialog/preset_name", dialog.preset, 120);
  const bool entered = typing && compat::enter_pressed();
  const bool named = !typed_preset(ui).empty();
  const bool saves = row_button(ui, tr("Save preset"), "dialog/preset_save", named);
  tooltip(ui, tr("Keeps all choices but those of this sentence under the name"));
  const bool deletes = row_button(ui, tr("Delete"), "dialog/preset_delete", known);
  end_row();
  if (saves || deletes || entered) dialog.list_frame = ImGui::GetFrameCount();  // Enter is theirs
  if (saves || (entered && named)) save_preset(ui);
  if (deletes) delete_preset(ui);
}

constexpr float kPreviewWidth = 400, kPreviewHeight = 400;
constexpr float kLeastPreview = 200;  // beside the options; in a narrower window it is above them
constexpr float kBesidePreview = 18;

void numbers_preview_text(Ui& ui, const Rect& bounds) {
  const float height = std::ceil(compat::font_size(*ui.fonts.mono));
  const std::string text = numbers_preview(ui, static_cast<std::size_t>(bounds.h / height));
  Rect line{bounds.x, bounds.y, 0, height};  // lines are cut off, not shortened
  ImGui::PushClipRect({bounds.x, bounds.y}, {bounds.x + bounds.w, bounds.y + bounds.h}, true);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    draw_text(ui, ui.fonts.mono, line, text.substr(at, end - at), ui.theme.text);
    line.y += height;
    at = end + 1;
  }
  ImGui::PopClipRect();
}

void preview_problem(Ui& ui, const Rect& bounds, const std::string& problem) {
  ui.canvas().AddText(nullptr, 0, {bounds.x, bounds.y}, pack(ui.theme.danger), problem.c_str(),
                      nullptr, bounds.w);
}

// Chooses the moment of the animation that the preview shows.
void moment_slider(Ui& ui, float width) {
  double& shown = ui.state.dialog.exporting.motion.shown;
  auto share = static_cast<float>(shown);
  ImGui::SetNextItemWidth(width);
  if (ImGui::SliderFloat("##moment", &share, 0, 1, "")) shown = static_cast<double>(share);
  ui.name_item("dialog/moment");
}

// The width that the window leaves for a preview beside options of that width.
float room_beside(const Ui& ui, float options) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const float taken =
      options + ui.px(kBesidePreview) + 2 * style.WindowPadding.x + style.ScrollbarSize;
  return std::min(ImGui::GetIO().DisplaySize.x - taken, ui.px(kPreviewWidth));
}

void preview_panel(Ui& ui, ImVec2 size) {
  ImGui::BeginGroup();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Rect bounds{at.x, at.y, std::floor(size.x), std::floor(size.y)};
  fill_rect(ui, bounds, ui.theme.page, ui.px(6));
  ui.name("dialog/preview", bounds);
  const float around = ui.px(8);
  const Rect inside{bounds.x + around, bounds.y + around, bounds.w - 2 * around,
                    bounds.h - 2 * around};
  const ExportMode mode = ui.state.dialog.exporting.mode;
  const std::string problem = mode == ExportMode::kMotion ? motion_problem(ui) : "";
  if (mode == ExportMode::kNumbers)
    numbers_preview_text(ui, inside);
  else if (!problem.empty())
    preview_problem(ui, inside, problem);
  else if (mode == ExportMode::kMotion)
    draw_motion_preview(ui, inside);
  else
    draw_export_preview(ui, inside);
  ImGui::Dummy({bounds.w, bounds.h});
  if (mode == ExportMode::kMotion) moment_slider(ui, bounds.w);
  ImGui::EndGroup();
}

// Where the map may show the mean of heads, which is exported only as a separate figure.
void own_head_line(Ui& ui) {
  const ExportState& exporting = ui.state.dialog.exporting;
  const bool weights = exporting.figure.stage == attention::Stage::kWeights;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool mean =
      exporting.mode == ExportMode::kFigure && exporting.figure.type == figure::FigureType::kMean;
  const bool whole = chosen_whole_model(ui) != WholeModel::kNone;
  if (!weights || mean || whole || exporting.mode == ExportMode::kFolder) return;
  const std::string head =
      own_head_note(ui, "export", {at.x, at.y, option_row_width(ui), ImGui::GetTextLineHeight()});
  if (!head.empty())
    dialog_paragraph(ui, tr("the weights of {}; the mean is not exported", {head}), true);
}

void mode_rows(Ui& ui) {
  const ExportMode mode = ui.state.dialog.exporting.mode;
  if (mode == ExportMode::kFigure) figure_type_rows(ui);
  if (mode == ExportMode::kNumbers) number_choice_rows(ui);
  if (mode == ExportMode::kMotion) motion_rows(ui);
  if (mode == ExportMode::kFolder)
    dialog_paragraph(ui, tr("A folder of {} files: each stage, of each head",
                            {std::to_string(folder_file_count(ui))}));
  sentences_row(ui);
  ImGui::Spacing();
  export_format_row(ui);
  own_head_line(ui);
  figure_option_rows(ui);
}

// True when both mean the same place: one may lack the folder.
bool is_path(const std::string& typed, const std::string& proposed) {
  std::error_code none;
  const auto whole = [&](const std::string& path) {
    return std::filesystem::absolute(files::full_path(path), none).lexically_normal();
  };
  return whole(typed) == whole(proposed);
}

void options(Ui& ui) {
  const DialogState before = ui.state.dialog;
  const bool user_path = !is_path(before.path, export_path(ui));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(4), ui.px(2)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), ui.px(3)});
  ImGui::BeginGroup();
  preset_row(ui);
  export_mode_row(ui);
  ImGui::Spacing();
  mode_rows(ui);
  ImGui::Dummy({option_row_width(ui), 1});
  ImGui::EndGroup();
  ImGui::PopStyleVar(2);
  // Enter only presses the button, or chooses in an open list.
  if (compat::enter_pressed() && !list_has_keys(ui)) ui.state.dialog = before;
  if (before.exporting != ui.state.dialog.exporting)
    ui.state.dialog.problem.clear(), ui.state.dialog.done.clear();
  const bool other_mode = before.exporting.mode != ui.state.dialog.exporting.mode;
  if (!user_path || other_mode) ui.state.dialog.path = export_path(ui);
}

void dialog_line(Ui& ui, const std::string& text, const char* name) {
  dialog_paragraph(ui, text, true);
  ui.name_item(name);
}

// What is being written, or has been.
void outcome_line(Ui& ui) {
  const std::string text = ui.jobs.busy() ? ui.jobs.name() + " …" : ui.state.dialog.done;
  if (!text.empty()) dialog_line(ui, text, "dialog/done");
}

// That numbers are left out of the figure, before it is saved.
void numbers_line(Ui& ui) {
  const DialogState& dialog = ui.state.dialog;
  const bool figure = dialog.exporting.mode == ExportMode::kFigure;
  const bool drawn = figure && figure::figure_format(chosen_ending(ui))->write != nullptr;
  if (drawn && !dialog.numbers_note.empty())
    dialog_line(ui, dialog.numbers_note, "dialog/numbers_note");
}

// A name without an ending gets that of the chosen format.
void complete_name(Ui& ui) {
  DialogState& dialog = ui.state.dialog;
  const bool file = dialog.exporting.mode != ExportMode::kFolder;
  const bool named = !files::file_name_of(dialog.path).empty();
  std::error_code none;
  const bool folder = std::filesystem::is_directory(files::full_path(dialog.path), none);
  if (file && named && !folder && files::ending_of(dialog.path).empty())
    dialog.path += dialog.exporting.ending();
}

// The typed path as chosen_path returns it, without a problem when there is none.
bool copy_button(Ui& ui) {
  if (!can_copy_export(ui)) return false;
  ImGui::SameLine();
  const bool copied = dialog_button(ui, tr("Copy"), "dialog/copy");
  tooltip(ui, tr("Put it on the clipboard instead of a file"));
  if (!copied) return false;
  ui.state.dialog.done.clear();
  copy_export(ui);
  return true;
}

// In a low window the field at the end, which gets the keyboard, would come into view instead.
void begin_at_top(Ui& ui) {
  constexpr int kUntilFieldHasKeys = 4;  // frames
  int& drawn = ui.state.dialog.drawn;
  if (drawn < kUntilFieldHasKeys) ImGui::SetScrollY(0);
  drawn = std::min(drawn + 1, kUntilFieldHasKeys);
}

}  // namespace

void accept_export(Ui& ui) {
  complete_name(ui);
  const std::string path = chosen_path(ui);
  if (path.empty() || !may_export(ui, path)) return;
  start_export(ui, path);
}

void export_dialog(Ui& ui) {
  if (!ui.state.error.empty()) ui.state.dialog.problem = std::exchange(ui.state.error, {});
  begin_at_top(ui);
  const float room = room_beside(ui, option_row_width(ui));
  const bool beside = room >= ui.px(kLeastPreview);
  if (!beside) preview_panel(ui, {dialog_field_width(ui), ui.px(kPreviewHeight) / 2});
  options(ui);
  if (beside) {
    ImGui::SameLine(0, ui.px(kBesidePreview));
    preview_panel(ui, {room_beside(ui, ImGui::GetItemRectSize().x), ui.px(kPreviewHeight)});
  }
  path_field(ui);
  numbers_line(ui);
  outcome_line(ui);
  const bool replaces = ui.state.dialog.replace == export_key(ui, absolute_path(ui));
  const std::string label = replaces ? tr("Replace") : tr("Save");
  if (finish_row(ui, label, copy_button, tr("Close"))) accept_export(ui);
}

}  // namespace lab::view
