#include <algorithm>
#include <functional>
#include <vector>

#include "app/figure/label_layout.h"
#include "app/view/panels/panels.h"
#include "app/view/widgets.h"

namespace lab {
namespace {

using attention::Index;

constexpr float kPoints = 11.5f;
constexpr float kThickest = 6;       // of a line of weight 1
constexpr float kFaintest = 0.004f;  // weights below are not drawn

float row_centre(const Rect& area, Index i, Index count) {
  return area.y + area.h * (static_cast<float>(i) + 0.5f) / static_cast<float>(count);
}

using LabelOf = std::string (*)(const Document&, Index);

// Keys whose line is seen, the thickest first.
std::vector<int> line_ends(const attention::Matrix& weights, Index query) {
  std::vector<int> keys;
  for (Index key = 0; key < weights.cols(); ++key)
    if (weights(query, key) > kFaintest) keys.push_back(static_cast<int>(key));
  std::ranges::stable_sort(keys, std::greater(), [&](int key) { return weights(query, key); });
  return keys;
}

// `wanted` are the labels that matter most; of both columns the same, so that where there is no
// room for all, both drop the same.
void label_column(Ui& ui, const Rect& area, Index count, LabelOf label, Index marked,
                  std::vector<int> wanted, TextAlign align) {
  const float pitch = area.h / static_cast<float>(count);
  const int stride = label_stride(static_cast<int>(count), pitch, ui.px(kPoints + 1));
  wanted.insert(wanted.begin(), static_cast<int>(marked));
  const std::vector<bool> chosen = chosen_labels(static_cast<int>(count), stride, wanted);
  for (Index i = 0; i < count; ++i) {
    if (!chosen[static_cast<std::size_t>(i)]) continue;
    const Rect place{area.x, row_centre(area, i, count) - ui.px(8), area.w, ui.px(16)};
    draw_label(ui, place, label(ui.document(), i), kPoints,
               i == marked ? ui.theme.selected : ui.theme.dim, align);
  }
}

void line(Ui& ui, ImVec2 from, ImVec2 to, float weight) {
  const float bend = (to.x - from.x) * 0.45f;
  const float alpha = std::clamp(0.18f + 1.1f * weight, 0.0f, 1.0f);
  ui.canvas().AddBezierCubic(from, {from.x + bend, from.y}, {to.x - bend, to.y}, to,
                             pack(ui.theme.selected, alpha),
                             std::max(1.0f, ui.px(kThickest * weight)), 40);
}

void lines(Ui& ui, const Rect& between, Index query, const attention::Matrix& weights) {
  const float y = row_centre(between, query, weights.rows());
  for (Index key = 0; key < weights.cols(); ++key) {
    const float weight = weights(query, key);
    if (!(weight > kFaintest)) continue;
    line(ui, {between.x, y}, {between.right(), row_centre(between, key, weights.cols())}, weight);
  }
}

void pick_query(Ui& ui, const Rect& area, Index count) {
  if (!click_area(ui, "tokens/query", area)) return;
  const float at = (ImGui::GetIO().MousePos.y - area.y) / area.h * static_cast<float>(count);
  ui.state.selection.query = std::clamp<Index>(static_cast<Index>(at), 0, count - 1);
}

}  // namespace

void tokens_card(Ui& ui, const Rect& rect) {
  Rect content = card(ui, rect, "Tokens", "query → key");
  const auto& weights = *ui.trace().heads[static_cast<std::size_t>(ui.state.head)].weights;
  if (content.h < ui.px(30) || weights.size() == 0) return;
  const float gap = ui.px(7), column = std::floor(content.w * 0.29f);
  const Rect queries = content.cut_left(column), keys = content.cut_right(column);
  pick_query(ui, queries, weights.rows());
  const Rect between{content.x + gap, content.y, content.w - 2 * gap, content.h};
  lines(ui, between, ui.state.selection.query, weights);
  const Selection& selected = ui.state.selection;
  std::vector<int> wanted = line_ends(weights, selected.query);
  if (weights.rows() == weights.cols()) wanted.push_back(static_cast<int>(selected.query));
  label_column(ui, queries, weights.rows(), row_label, selected.query, wanted, TextAlign::kRight);
  label_column(ui, keys, weights.cols(), key_label, selected.key, wanted, TextAlign::kLeft);
}

}  // namespace lab
