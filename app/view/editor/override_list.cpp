#include "app/base/text_direction.h"
#include "app/explain/number_text.h"
#include "app/translation/words.h"
#include "app/view/editor/override_edit.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/popup.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::Override;

constexpr const char* kOverrideList = "overrides";

std::string override_text(const Document& document, const Override& one) {
  return cell_label({one.stage, static_cast<int>(one.head), 0, 0}) + " · " +
         isolated(row_label(document, one.stage, one.row)) + ", " +
         isolated(column_label(document, one.stage, one.col)) + " = " +
         explain::format_significant(one.value, 4);
}

void jump_to(Ui& ui, const Override& one) {
  if (is_per_head(one.stage)) ui.state.head = static_cast<int>(one.head);
  select_cell(ui.state.selection, one.stage, {one.row, one.col});
  ui.give_keys_to_stage();
}

StageCell cell_of(const Override& one) {
  return {one.stage, static_cast<int>(one.head), static_cast<int>(one.row),
          static_cast<int>(one.col)};
}

// One override: its name jumps to it, the cross removes it.
void override_line(Ui& ui, const Override& one, const std::string& id, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ui.px(26);
  const Rect name{at.x, at.y, width, height}, cross{at.x + width, at.y, height, height};
  if (click_area(ui, id, name)) {
    jump_to(ui, one);
    ImGui::CloseCurrentPopup();
  }
  if (ImGui::IsItemHovered())
    fill_rect(ui, {name.x - ui.px(4), name.y, name.w, name.h}, ui.theme.button_hover, ui.px(5));
  draw_text(ui, ui.fonts.text, {name.x, name.y, name.w - ui.px(8), name.h},
            override_text(ui.document(), one), ui.theme.text);
  if (button(ui, id + "/remove", cross, "×")) ui.queue(intent::Apply{RemoveOverride{cell_of(one)}});
  tooltip(ui, tr("Remove: the cell is computed again"));
  compat::move_cursor_below({at.x, at.y + height + ui.px(2)});
}

void override_lines(Ui& ui) {
  const auto overrides = listed_overrides(ui);
  float width = ui.px(200);
  for (const Override& one : overrides)
    width = std::max(width,
                     text_width(ui, ui.fonts.text, override_text(ui.document(), one)) + ui.px(20));
  width = std::min(width, ImGui::GetIO().DisplaySize.x * 0.6f);
  for (std::size_t i = 0; i < overrides.size(); ++i)
    override_line(ui, overrides[i], "override/" + std::to_string(i), width);
  ImGui::Dummy({width + ui.px(26), 1});
}

void override_list(Ui& ui, const Rect& anchor) {
  if (!begin_popup(ui, kOverrideList, anchor)) return;
  override_lines(ui);
  if (menu_item(ui, "overrides/clear", tr("Remove all overrides"))) clear_overrides(ui);
  if (!has_overrides(ui)) ImGui::CloseCurrentPopup();
  end_popup();
}

}  // namespace

void overrides_button(Ui& ui, Rect& rect) {
  const std::size_t count = listed_overrides(ui).size();
  if (count == 0) return;
  const std::string label = tr_count("{} override", "{} overrides", static_cast<long>(count));
  const float width = text_width(ui, ui.fonts.small, label) + ui.px(16);
  const Rect bounds = rect.cut_right(width);
  const Rect box{bounds.x, bounds.y + ui.px(5), bounds.w, bounds.h - ui.px(10)};
  if (click_area(ui, "button/overrides", box)) open_popup(kOverrideList);
  fill_rect(ui, box, ImGui::IsItemHovered() ? ui.theme.button_hover : ui.theme.button, ui.px(5));
  draw_text(ui, ui.fonts.small, box, label, ui.theme.text, TextAlign::kCentre);
  open_requested_popup(ui, kOverrideList);
  override_list(ui, box);
  rect.cut_right(ui.px(16));
}

}  // namespace lab::view
