#include <algorithm>

#include "app/figure/direction.h"
#include "app/view/heat_map.h"
#include "app/view/imgui_compat.h"
#include "app/view/panels/panels.h"
#include "app/view/widgets.h"
#include "core/metrics.h"

namespace lab {
namespace {

using attention::Index;

constexpr float kNarrowest = 132;  // thumbnail
constexpr float kTitleHeight = 20;

void thumbnail_title(Ui& ui, Rect row, int head, const attention::Matrix& weights) {
  const std::string name = "Head " + std::to_string(head + 1);
  draw_text(ui, ui.fonts.bold, row, name, ui.theme.text);
  row.cut_left(text_width(ui, ui.fonts.bold, name) + ui.px(6));
  const auto pair = attention::strongest_pair(weights, true);
  const std::string strongest =
      pair_text(row_label(ui.document(), pair.row), key_label(ui.document(), pair.col));
  if (row.w > ui.px(30)) draw_label(ui, row, strongest, 13, ui.theme.dim, TextAlign::kLeft);
}

void thumbnail(Ui& ui, Rect rect, int head) {
  const auto& weights = ui.trace().heads[static_cast<std::size_t>(head)].weights;
  const std::string id = "head/" + std::to_string(head + 1);
  if (click_area(ui, id, rect)) ui.state.head = head;
  const bool focused = ui.state.head == head;
  if (ImGui::IsItemHovered() && !focused) frame_rect(ui, rect, ui.theme.line, ui.px(2), ui.px(7));
  if (focused) frame_rect(ui, rect, ui.theme.accent, ui.px(2), ui.px(7));
  rect = {rect.x + ui.px(9), rect.y + ui.px(4), rect.w - ui.px(18), rect.h - ui.px(11)};
  thumbnail_title(ui, rect.cut_top(ui.px(kTitleHeight)), head, *weights);
  rect.cut_top(ui.px(2));
  HeatMap map;
  map.name = "thumb/" + std::to_string(head + 1);
  map.matrix = weights;
  map.stage = attention::Stage::kWeights;
  map.colour_bar = false;
  map.values_inside = false;
  map.interactive = false;
  map.label_points = 10.5f;
  if (rect.w > ui.px(190)) map.row_label = [&ui](Index i) { return row_label(ui.document(), i); };
  heat_map(ui, rect, map);
}

}  // namespace

void heads_card(Ui& ui, const Rect& rect) {
  const auto& config = ui.problem().config;
  const std::string note = std::to_string(config.n_heads) + " × " +
                           std::to_string(ui.problem().seq_len()) + " × " +
                           std::to_string(ui.problem().kv_len());
  Rect content = card(ui, rect, "Heads", "weights of every head · same scale", note);
  const auto heads = static_cast<float>(config.n_heads);
  const float gap = ui.px(8);
  const float wide = std::floor(std::max(ui.px(kNarrowest), (content.w + gap) / heads - gap));
  ImGui::SetCursorScreenPos(content.min());
  compat::begin_child("heads", {content.w, content.h}, false, ImGuiWindowFlags_HorizontalScrollbar);
  const bool scrolls = wide * heads + gap * (heads - 1) > content.w + 1;
  const float height = content.h - (scrolls ? ImGui::GetStyle().ScrollbarSize : 0);
  const float start = content.x - ImGui::GetScrollX();
  for (int head = 0; head < config.n_heads; ++head) {
    thumbnail(ui, {start + (wide + gap) * static_cast<float>(head), content.y, wide, height}, head);
  }
  if (scrolls) {
    ImGui::SetCursorScreenPos({start, content.y});
    ImGui::Dummy({wide * heads + gap * (heads - 1), 1});
  }
  ImGui::EndChild();
}

}  // namespace lab
