#include <imgui.h>

#include "app/view/imgui_compat.h"
#include "app/view/panels/dialog_parts.h"
#include "app/view/panels/export_options.h"
#include "app/view/panels/panels.h"
#include "app/view/picture_actions.h"
#include "app/view/widgets.h"

namespace lab {
namespace {

constexpr float kPreviewWidth = 400, kPreviewHeight = 400, kOptionsWidth = 520;

// At the right of the options, where there is room for it.
void preview(Ui& ui) {
  const float wide = ui.px(kOptionsWidth + kPreviewWidth + 80);
  if (ImGui::GetIO().DisplaySize.x < wide) return;
  ImGui::SameLine(0, ui.px(18));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Rect place{at.x, at.y, ui.px(kPreviewWidth), ui.px(kPreviewHeight)};
  fill_rect(ui, place, ui.theme.page, ui.px(6));
  ui.name("dialog/preview", place);
  const float around = ui.px(8);
  draw_export_preview(
      ui, {place.x + around, place.y + around, place.w - 2 * around, place.h - 2 * around});
  ImGui::Dummy({place.w, place.h});
}

void options(Ui& ui) {
  const DialogState before = ui.state.dialog;
  const bool own_path = before.path != picture_path(ui);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(4), ui.px(2)});
  ImGui::BeginGroup();
  figure_kind_rows(ui);
  ImGui::Spacing();
  figure_option_rows(ui);
  ImGui::Dummy({ui.px(kOptionsWidth), 1});
  ImGui::EndGroup();
  ImGui::PopStyleVar();
  if (compat::enter_pressed()) ui.state.dialog = before;  // Enter is for the button alone
  if (!own_path) ui.state.dialog.path = picture_path(ui);
}

}  // namespace

void accept_export(Ui& ui) {
  const std::string path = writable_path(ui, check_picture_path);
  if (path.empty()) return;
  export_picture(ui, path);
  settle_dialog(ui);
}

void export_dialog(Ui& ui) {
  options(ui);
  preview(ui);
  path_field(ui);
  if (finish_row(ui, save_label(ui))) accept_export(ui);
}

}  // namespace lab
