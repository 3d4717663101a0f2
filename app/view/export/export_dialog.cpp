#include <imgui.h>

#include "app/translation/words.h"
#include "app/view/export/animation_actions.h"
#include "app/view/export/export_actions.h"
#include "app/view/export/export_options.h"
#include "app/view/export/export_panels.h"
#include "app/view/export/figure_actions.h"
#include "app/view/export/folder_actions.h"
#include "app/view/export/number_actions.h"
#include "app/view/session/dialog_parts.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/option_rows.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr float kPreviewWidth = 400, kPreviewHeight = 400, kOptionsWidth = 540;

void numbers_preview_text(Ui& ui, const Rect& place) {
  compat::push_font(ui.fonts.mono);
  const float line = ImGui::GetTextLineHeight();
  const std::string text = numbers_preview(ui, static_cast<std::size_t>(place.h / line));
  ImGui::PushClipRect({place.x, place.y}, {place.x + place.w, place.y + place.h}, true);
  ui.canvas().AddText({place.x, place.y}, pack(ui.theme.text), text.c_str());
  ImGui::PopClipRect();
  ImGui::PopFont();
}

void preview_problem(Ui& ui, const Rect& place, const std::string& problem) {
  ui.canvas().AddText(nullptr, 0, {place.x, place.y}, pack(ui.theme.danger), problem.c_str(),
                      nullptr, place.w);
}

// Chooses the moment of the animation that the preview shows.
void moment_slider(Ui& ui) {
  double& shown = ui.state.dialog.exporting.motion.shown;
  auto share = static_cast<float>(shown);
  ImGui::SetNextItemWidth(ui.px(kPreviewWidth));
  if (ImGui::SliderFloat("##moment", &share, 0, 1, "")) shown = static_cast<double>(share);
  ui.name_item("dialog/moment");
}

// Draws the preview at the right of the options, which are the last group of items, if there is
// room.
void preview_panel(Ui& ui) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const float wide = ImGui::GetItemRectSize().x + ui.px(18 + kPreviewWidth) +
                     2 * style.WindowPadding.x + style.ScrollbarSize;
  if (ImGui::GetIO().DisplaySize.x < wide) return;
  ImGui::SameLine(0, ui.px(18));
  ImGui::BeginGroup();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Rect place{at.x, at.y, ui.px(kPreviewWidth), ui.px(kPreviewHeight)};
  fill_rect(ui, place, ui.theme.page, ui.px(6));
  ui.name("dialog/preview", place);
  const float around = ui.px(8);
  const Rect inside{place.x + around, place.y + around, place.w - 2 * around, place.h - 2 * around};
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
  ImGui::Dummy({place.w, place.h});
  if (mode == ExportMode::kMotion) moment_slider(ui);
  ImGui::EndGroup();
}

void mode_rows(Ui& ui) {
  const ExportMode mode = ui.state.dialog.exporting.mode;
  if (mode == ExportMode::kFigure) figure_kind_rows(ui);
  if (mode == ExportMode::kNumbers) number_choice_rows(ui);
  if (mode == ExportMode::kMotion) motion_rows(ui);
  if (mode == ExportMode::kFolder)
    ImGui::TextUnformatted(tr("A folder of {} files: each stage, of each head",
                              {std::to_string(folder_file_count(ui))})
                               .c_str());
  ImGui::Spacing();
  export_format_row(ui);
  figure_option_rows(ui);
}

void options(Ui& ui) {
  const DialogState before = ui.state.dialog;
  const bool own_path = before.path != export_path(ui);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(4), ui.px(2)});
  ImGui::BeginGroup();
  export_mode_row(ui);
  ImGui::Spacing();
  mode_rows(ui);
  ImGui::Dummy({ui.px(kOptionsWidth), 1});
  ImGui::EndGroup();
  ImGui::PopStyleVar();
  // Enter only presses the button, or chooses in an open list.
  if (compat::enter_pressed() && !list_has_keys(ui)) ui.state.dialog = before;
  if (before.exporting != ui.state.dialog.exporting) ui.state.dialog.problem.clear();
  const bool other_mode = before.exporting.mode != ui.state.dialog.exporting.mode;
  if (!own_path || other_mode) ui.state.dialog.path = export_path(ui);
}

bool copy_button(Ui& ui) {
  if (!can_copy_export(ui)) return false;
  ImGui::SameLine();
  const bool copied = dialog_button(ui, tr("Copy"), "dialog/copy");
  tooltip(ui, tr("Put it on the clipboard instead of a file"));
  if (!copied) return false;
  copy_export(ui);
  settle_dialog(ui);
  return true;
}

}  // namespace

void accept_export(Ui& ui) {
  const std::string path = chosen_path(ui);
  if (path.empty() || !may_export(ui, path)) return;
  start_export(ui, path);
  settle_dialog(ui);
}

void export_dialog(Ui& ui) {
  options(ui);
  preview_panel(ui);
  path_field(ui);
  if (finish_row(ui, save_label(ui), copy_button)) accept_export(ui);
}

}  // namespace lab::view
