#include "app/view/cards/weights_views.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "app/translation/words.h"
#include "app/view/maps/heads.h"
#include "app/view/maps/map_ranges.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::Index;

constexpr float kTitle = 16;      // over each of two maps
constexpr float kFaint = 0.005f;  // weights below have no disc
constexpr Index kMostDiscs = 1000;

std::string head_name(int head) { return tr("head {}", {std::to_string(head + 1)}); }

// The cells whose discs are drawn: the strongest, as many as a picture can show.
std::vector<attention::Pair> disc_pairs(const attention::Matrix& weights) {
  std::vector<attention::Pair> pairs;
  for (Index i = 0; i < weights.rows(); ++i) {
    for (Index j = 0; j < weights.cols(); ++j) {
      if (weights(i, j) > kFaint) pairs.push_back({i, j, weights(i, j)});
    }
  }
  if (std::ssize(pairs) <= kMostDiscs) return pairs;
  std::ranges::nth_element(pairs, pairs.begin() + kMostDiscs, std::greater(),
                           &attention::Pair::weight);
  pairs.resize(kMostDiscs);
  return pairs;
}

// The second head's weights on the map of the focused one: discs whose area is the weight.
void draw_discs(Ui& ui, const Rect& plot, const attention::Matrix& weights) {
  const attention::Shape shape{weights.rows(), weights.cols()};
  for (const attention::Pair& pair : disc_pairs(weights)) {
    const Rect cell = cell_rect(plot, shape, {pair.row, pair.col});
    const float largest = std::min(cell.w, cell.h) / 2 - 0.5f;
    const float radius = std::max(0.75f, largest * std::sqrt(std::min(pair.weight, 1.0f)));
    const ImVec2 centre{cell.x + cell.w / 2, cell.y + cell.h / 2};
    ui.canvas().AddCircleFilled(centre, radius, pack(ui.theme.selected, 0.9f), radius < 3 ? 6 : 0);
  }
}

HeatMapInput overlaid(Ui& ui, const Rect& rect, HeatMap& map) {
  map.values_inside = false;
  const HeatMapInput input = heat_map(ui, rect, map);
  if (input.plot.w > 0) draw_discs(ui, input.plot, *weights_of(ui, second_head(ui)));
  return input;
}

HeatMapInput titled_map(Ui& ui, Rect rect, const std::string& title, const HeatMap& map) {
  draw_text(ui, ui.fonts.small, rect.cut_top(ui.px(kTitle)), title, ui.theme.dim,
            TextAlign::kCentre);
  return heat_map(ui, rect, map);
}

HeatMapInput beside(Ui& ui, Rect rect, const HeatMap& map) {
  HeatMap first = map, second = map;
  first.colour_bar = false;
  second.name += "/second";
  second.matrix = weights_of(ui, second_head(ui));
  second.row_label = nullptr;
  const Rect left = rect.cut_left(std::floor(rect.w / 2));
  rect.cut_left(ui.px(8));
  const HeatMapInput on_first = titled_map(ui, left, head_name(ui.state.head), first);
  const HeatMapInput on_second = titled_map(ui, rect, head_name(second_head(ui)), second);
  HeatMapInput input = on_second.hovered ? on_second : on_first;
  input.entered = on_first.entered || on_second.entered;
  input.bar = on_second.bar;
  return input;
}

bool has_all_discs(const Ui& ui) {
  return ui.problem().seq_len() * ui.problem().kv_len() <= kMostDiscs;
}

constexpr int kLeastDecimals = 4;  // in the status bar

}  // namespace

bool shows_heads_together(const Ui& ui) { return ui.state.heads.view != HeadView::kFocused; }

std::string weights_view_text(const Ui& ui) {
  const std::string first = head_name(ui.state.head), second = head_name(second_head(ui));
  const std::string all = std::to_string(ui.problem().config.n_heads);
  switch (ui.state.heads.view) {
    case HeadView::kMean:
      return all_are_heard(ui) ? tr("mean of {} heads", {all}) : tr("mean: {}", {heard_text(ui)});
    case HeadView::kMaximum:
      return all_are_heard(ui) ? tr("maximum of {} heads", {all})
                               : tr("maximum: {}", {heard_text(ui)});
    case HeadView::kDifference:
      return first + " − " + second;
    case HeadView::kBeside:
      return first + " | " + second;
    case HeadView::kOverlaid:
      return has_all_discs(ui) ? first + ", ● " + second
                               : tr("{}, ● {} (strongest)", {first, second});
    default:
      return {};
  }
}

std::string short_weights_view_text(const Ui& ui) {
  const HeadView view = ui.state.heads.view;
  const bool combined = view == HeadView::kMean || view == HeadView::kMaximum;
  if (!combined || all_are_heard(ui)) return weights_view_text(ui);
  return view == HeadView::kMean ? tr("mean: {}", {heard_numbers(ui)})
                                 : tr("max: {}", {heard_numbers(ui)});
}

HeatMapInput heads_together(Ui& ui, const Rect& rect, HeatMap map) {
  const HeadView view = ui.state.heads.view;
  map.range = thumbnails_range(ui);
  map.range_notes = range_notes(ui, map.stage, *map.range);
  if (view == HeadView::kBeside) return beside(ui, rect, map);
  if (view == HeadView::kOverlaid) return overlaid(ui, rect, map);
  map.matrix = viewed_weights(ui, view);
  map.difference = view == HeadView::kDifference;
  map.range = heads_together_range(ui, map.matrix, map.difference);
  map.range_notes = range_notes(ui, map.stage, *map.range);
  return heat_map(ui, rect, map);
}

std::string weights_view_value(Ui& ui, Cell cell) {
  const HeadView view = ui.state.heads.view;
  if (!shows_two_heads(view))
    return weights_view_text(ui) + " " +
           ui.number((*viewed_weights(ui, view))(cell.row, cell.col), kLeastDecimals);
  const int second = second_head(ui);
  const auto number = [&](float value) { return ui.number(value, kLeastDecimals); };
  const float a = (*weights_of(ui, ui.state.head))(cell.row, cell.col);
  const float b = (*weights_of(ui, second))(cell.row, cell.col);
  return tr("{} {} · {} {} · difference {}",
            {head_name(ui.state.head), number(a), head_name(second), number(b), number(a - b)});
}

}  // namespace lab::view
