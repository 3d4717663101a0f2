#include <algorithm>
#include <utility>

#include "app/explain/number_text.h"
#include "app/translation/words.h"
#include "app/view/focus/focus_ring.h"
#include "app/view/maps/heads.h"
#include "app/view/maps/navigation.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::Index;

constexpr float kBarPitch = 21;
constexpr float kLeastPitch = 14;

// A bar is a weight of the selected query: highlights it and its sources.
void point_at_weight(Ui& ui, Index key) {
  const attention::CellRef weight =
      cell_ref(ui, attention::Stage::kWeights, {ui.state.selection.query, key});
  point_at(ui, weight);
  ui.state.inspection.next_highlight.regions.push_back(
      {weight.matrix, weight.head, {weight.row, weight.col, 1, 1}});
}

// Room for "0.71" and "7.1e-3", and for more digits.
float number_width(const Ui& ui) {
  const auto letters = static_cast<std::size_t>(ui.state.digits) + 2;
  return std::max(ui.px(48), text_width(ui, ui.fonts.mono, std::string(letters, '0')) + ui.px(4));
}

void bar(Ui& ui, Rect row, Index key, float weight) {
  const bool selected = ui.state.selection.key == key;
  if (click_area(ui, "row/" + std::to_string(key), row)) {
    ui.state.selection.key = key;
    if (!has_key_columns(ui.state.selection.stage)) ui.select_stage(attention::Stage::kWeights);
  }
  if (is_pointed_at(ui)) point_at_weight(ui, key);
  const bool of_template = column_is_of_template(ui.document(), attention::Stage::kWeights, key);
  const figure::Rgb name_colour = selected                 ? ui.theme.selected
                                  : ImGui::IsItemHovered() ? ui.theme.text
                                  : of_template            ? ui.theme.disabled
                                                           : ui.theme.dim;
  draw_label(ui, row.cut_left(ui.px(76)), key_label(ui.document(), key), 12.5f, name_colour,
             TextAlign::kRight, selected);
  row.cut_left(ui.px(8));
  draw_fitting(ui, ui.fonts.mono, row.cut_right(number_width(ui)),
               explain::shorter_texts(weight, ui.state.digits), ui.theme.text, TextAlign::kRight);
  row.cut_right(ui.px(6));
  const float share = std::isfinite(weight) ? std::clamp(weight, 0.0f, 1.0f) : 0;
  const float height = std::min(row.h * 0.55f, ui.px(11));
  const Rect filled{row.x, row.y + (row.h - height) / 2, std::max(ui.px(2), row.w * share), height};
  fill_rect(ui, filled, selected ? ui.theme.selected : ui.theme.accent,
            share > 0.03f ? ui.px(2.5f) : 0);
}

std::string sum_note(float sum) {
  return std::isfinite(sum) ? tr("sums to {}", {explain::row_sum_text(sum)}) : tr("not a number");
}

float row_card_height(Ui& ui, const Rect&) {
  const float bars = ui.px(kBarPitch) * static_cast<float>(ui.problem().kv_len());
  return std::max(ui.px(120), ui.px(44) + bars);
}

void row_card(Ui& ui, const Rect& rect) {
  const Index query = ui.state.selection.query;
  const auto& weights = *ui.trace().heads[static_cast<std::size_t>(ui.state.head)].weights;
  const Rect content = card(ui, rect, tr("Row “{}”", {row_label(ui.document(), query)}),
                            own_head_note(ui, "row", rect), sum_note(weights.row(query).sum()));
  ImGui::SetCursorScreenPos(content.min());
  compat::begin_child("row", {content.w, content.h}, false);
  const Index count = weights.cols();
  const float pitch = std::floor(
      std::clamp(content.h / static_cast<float>(count), ui.px(kLeastPitch), ui.px(kBarPitch)));
  const float top = content.y - ImGui::GetScrollY();
  const float width = content.w - (ImGui::GetScrollMaxY() > 0 ? ui.px(14) : ui.px(4));
  for (Index key = 0; key < count; ++key) {
    const Rect row{content.x, top + pitch * static_cast<float>(key), width, pitch};
    if (row.bottom() > content.y && row.y < content.bottom()) {
      bar(ui, row, key, weights(query, key));
    } else if (row.bottom() > content.y - pitch && row.y < content.bottom() + pitch) {
      focus_stop(ui, "row/" + std::to_string(key), row);  // hidden, but next to a visible one
    }
  }
  ImGui::SetCursorScreenPos({content.x, top});
  ImGui::Dummy({1, pitch * static_cast<float>(count)});
  const Index key = ui.state.selection.key;
  if (std::exchange(ui.state.bar_in_view, key) != key) {
    const float middle = pitch * (static_cast<float>(key) + 0.5f);
    ImGui::SetScrollFromPosY(top - ImGui::GetWindowPos().y + middle);
  }
  ImGui::EndChild();
}

}  // namespace

extern constexpr PanelInfo kRowPanel{.name = "row",
                                     .region = PanelRegion::kRight,
                                     .draw = row_card,
                                     .preferred_height = row_card_height,
                                     .height = {.least = 200, .share = 0.5f},
                                     .entrance = [](const ViewState& state) {
                                       return "row/" + std::to_string(state.selection.key);
                                     }};

}  // namespace lab::view
