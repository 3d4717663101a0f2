#include "app/view/cards/heads_views.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "app/translation/words.h"
#include "app/view/maps/heads.h"
#include "app/view/maps/heat_map_parts.h"
#include "app/view/maps/map_ranges.h"
#include "app/view/maps/map_reading.h"
#include "app/view/maps/metrics_cache.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::Index;
using attention::SharedMatrix;
using attention::Stage;

constexpr float kTitle = 16;  // over each of several maps
constexpr float kBetweenMaps = 8;
constexpr float kFaint = 0.005f;  // weights below have no disc
constexpr Index kMostDiscs = 1000;
constexpr std::size_t kMostHeadValues = 4;  // of heads in one line

std::string head_name(const Ui& ui, int head) { return head_in_text(ui.document(), head); }

// As short as it can be: "2", of a trained model "L9H2".
std::string compared_name(const Ui& ui, int head) { return head_number(ui.document(), head); }

const SharedMatrix& matrix_of_head(const Ui& ui, Stage stage, int head) {
  return stage_matrix(ui.problem(), ui.trace(), stage, head);
}

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
void draw_discs(Ui& ui, const HeatMapInput& map, const attention::Matrix& weights) {
  const Rect& plot = map.plot;
  ImGui::PushClipRect({plot.x, plot.y}, {plot.right(), plot.bottom()}, true);
  const attention::Shape shape{weights.rows(), weights.cols()};
  for (const attention::Pair& pair : disc_pairs(weights)) {
    const Rect cell = cell_rect(map.whole, shape, {pair.row, pair.col});
    const float largest = std::min(cell.w, cell.h) / 2 - 0.5f;
    const float radius = std::max(0.75f, largest * std::sqrt(std::min(pair.weight, 1.0f)));
    const ImVec2 centre{cell.x + cell.w / 2, cell.y + cell.h / 2};
    ui.canvas().AddCircleFilled(centre, radius, pack(ui.theme.selected, 0.9f), radius < 3 ? 6 : 0);
  }
  ImGui::PopClipRect();
}

HeatMapInput overlaid(Ui& ui, const Rect& rect, HeatMap map) {
  map.values_inside = false;
  const HeatMapInput input = heat_map(ui, rect, map);
  read_map(ui, map, input);
  if (input.plot.w > 0) draw_discs(ui, input, *weights_of(ui, second_head(ui)));
  return input;
}

// One of several maps.
struct MapOfHeads {
  std::vector<std::string> titles;  // the first that fits is its heading
  HeatMap map;
  bool focused = false;  // it is the map of the focused head
};

// Maps in lines and columns, and the pixels that each has for its cells and its heading.
struct MapGrid {
  int columns = 1, lines = 1;
  LabelRoom labels;
  float width = 0, height = 0;
};

// Only the first map of a line has row labels, and only the last line has those of columns.
MapGrid map_grid(Ui& ui, const Rect& rect, int maps, int columns, const HeatMap& first) {
  MapGrid grid;
  grid.columns = columns, grid.lines = (maps + columns - 1) / columns;
  const auto across = static_cast<float>(columns), down = static_cast<float>(grid.lines);
  grid.labels = label_room(ui, {0, 0, rect.w / across, rect.h / down}, first);
  const float gaps = ui.px(kBetweenMaps) * (across - 1);
  grid.width = std::floor((rect.w - grid.labels.left - gaps) / across);
  grid.height = std::floor((rect.h - grid.labels.below) / down);
  return grid;
}

// The size of a cell without labels and gaps.
float cell_size(const Ui& ui, const Rect& rect, const MapGrid& grid, attention::Shape shape) {
  return std::min(
      rect.w / static_cast<float>(grid.columns) / static_cast<float>(shape.cols),
      (rect.h / static_cast<float>(grid.lines) - ui.px(kTitle)) / static_cast<float>(shape.rows));
}

// The size of a map in parts of the least that still reads as a map; 1: enough.
float share_of_least(const Ui& ui, const MapGrid& grid) {
  constexpr float kLeastWidth = 20, kLeastHeight = 16;  // points, without its heading
  return std::min(
      {1.0f, grid.width / ui.px(kLeastWidth), (grid.height - ui.px(kTitle)) / ui.px(kLeastHeight)});
}

// As many columns as give the largest cells, or all maps in one row where a grid would leave places
// empty and the row has cells that can be read; never so many that maps become slivers while fewer
// columns leave them larger.
MapGrid fitting_grid(Ui& ui, const Rect& rect, int maps, const HeatMap& first) {
  constexpr float kReadable = 7;  // points, for a cell with its share of labels and gaps
  const attention::Shape shape = first.matrix.shape();
  const auto worth = [&](const MapGrid& grid) {
    return std::pair(share_of_least(ui, grid), cell_size(ui, rect, grid, shape));
  };
  MapGrid best = map_grid(ui, rect, maps, 1, first);
  for (int lines = maps; lines > 0; --lines) {
    const int columns = (maps + lines - 1) / lines;  // more would only be narrower
    if (columns == best.columns) continue;
    const MapGrid grid = map_grid(ui, rect, maps, columns, first);
    if (worth(grid) > worth(best)) best = grid;
  }
  const MapGrid row = map_grid(ui, rect, maps, maps, first);
  const bool has_gaps = maps % best.columns != 0;
  const auto [share, cell] = worth(row);
  return has_gaps && share >= 1 && cell >= ui.px(kReadable) ? row : best;
}

HeatMapInput one_of_maps(Ui& ui, Rect rect, const MapOfHeads& one) {
  const Rect heading = rect.cut_top(ui.px(kTitle));
  draw_fitting(ui, ui.fonts.small, heading, one.titles, ui.theme.dim, TextAlign::kCentre);
  const HeatMapInput input = heat_map(ui, rect, one.map);
  one.focused ? read_map(ui, one.map, input) : read_other_map(ui, one.map, input);
  return input;
}

// Returns the pointer's input on the map of the focused head.
HeatMapInput grid_of_maps(Ui& ui, Rect rect, std::vector<MapOfHeads> maps) {
  const float title = ui.px(kTitle), gap = ui.px(kBetweenMaps);
  const int count = static_cast<int>(maps.size());
  const Rect bar = rect.cut_right(ui.px(kBarSpace));
  maps.front().map.colour_bar = false;
  const auto [columns, lines, labels, width, height] =
      fitting_grid(ui, rect, count, maps.front().map);
  HeatMapInput focused;
  for (int i = 0; i < count; ++i) {
    MapOfHeads& one = maps[static_cast<std::size_t>(i)];
    const int line = i / columns, column = i % columns;
    const bool last = line == lines - 1;
    if (column > 0) one.map.row_label = nullptr;
    if (!last) one.map.col_label = nullptr;
    one.map.colour_bar = false;
    const float x = rect.x + labels.left + static_cast<float>(column) * (width + gap);
    const float left = column == 0 ? labels.left : 0;
    const HeatMapInput input = one_of_maps(ui,
                                           {x - left, rect.y + static_cast<float>(line) * height,
                                            width + left, height + (last ? labels.below : 0)},
                                           one);
    if (one.focused) focused = input;
  }
  const HeatMap& first = maps.front().map;
  const Rect beside_bar{rect.x, rect.y + title, bar.x - rect.x, height - title};
  draw_colour_bar(ui, beside_bar, first, *first.range);
  focused.bar = {bar.x + ui.px(4), beside_bar.y, ui.px(kBarSpace - 4), beside_bar.h};
  return focused;
}

// The map of another head: what is marked in `map` because it is the focused one's is not.
HeatMap map_of_head(const HeatMap& map, const SharedMatrix& matrix, const std::string& name) {
  HeatMap other = map;
  other.name = name;
  other.matrix = matrix;
  other.overridden.clear(), other.pinned.clear(), other.highlight.clear();
  return other;
}

std::string name_of_map(const HeatMap& map, std::size_t index, int head) {
  if (index == 0) return map.name;
  return map.name + (index == 1 ? "/second" : "/head-" + std::to_string(head + 1));
}

// Every head on one range, so that a colour means the same number in all of them.
HeatMapInput beside(Ui& ui, const Rect& rect, const HeatMap& map) {
  const std::vector<int> heads = compared_heads(ui);
  const figure::Range range = range_of_heads(ui, map.stage);
  std::vector<MapOfHeads> maps;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const SharedMatrix& matrix = matrix_of_head(ui, map.stage, heads[i]);
    MapOfHeads one{{head_name(ui, heads[i]), compared_name(ui, heads[i])},
                   i == 0 ? map : map_of_head(map, matrix, name_of_map(map, i, heads[i])),
                   i == 0};
    one.map.range = range;
    one.map.range_notes = range_notes(ui, map.stage, range);
    maps.push_back(std::move(one));
  }
  return grid_of_maps(ui, rect, std::move(maps));
}

// The range of those differences: the same on both sides of 0.
figure::Range range_of_differences(Ui& ui, Stage stage, const std::vector<int>& heads) {
  const SharedMatrix& focused = matrix_of_head(ui, stage, heads.front());
  float end = 0;
  for (const int head : heads) {
    if (head == heads.front() && heads.size() > 1) continue;
    const SharedMatrix& other = matrix_of_head(ui, stage, head);
    end =
        std::max(end, stage == Stage::kWeights
                          ? heads_together_range(ui, ui.metrics.difference(other, focused), true).hi
                          : static_cast<float>(ui.metrics.largest(other, focused)));
  }
  if (!(end > 0)) end = 1;
  return {-end, end, ui.state.inspection.ranges.of(stage).spread};
}

// What stands for several maps in which no head is the focused one: only the colour bar.
HeatMapInput bar_of(const HeatMapInput& input) {
  HeatMapInput bar;
  bar.bar = input.bar;
  return bar;
}

// The focused head minus each of the others.
HeatMapInput differences(Ui& ui, const Rect& rect, const HeatMap& map) {
  const std::vector<int> heads = compared_heads(ui);
  const SharedMatrix& focused = matrix_of_head(ui, map.stage, heads.front());
  const figure::Range range = range_of_differences(ui, map.stage, heads);
  std::vector<MapOfHeads> maps;
  for (std::size_t i = 1; i < std::max<std::size_t>(heads.size(), 2); ++i) {
    const int other = heads[std::min(i, heads.size() - 1)];
    const SharedMatrix& matrix =
        ui.metrics.difference(matrix_of_head(ui, map.stage, other), focused);
    const std::string number = compared_name(ui, other);
    MapOfHeads one{{head_name(ui, heads.front()) + " − " + head_name(ui, other),
                    compared_name(ui, heads.front()) + " − " + number, "− " + number, number},
                   map_of_head(map, matrix, name_of_map(map, i - 1, other))};
    one.map.difference = true;
    one.map.range = range;
    maps.push_back(std::move(one));
  }
  if (maps.size() > 1) return bar_of(grid_of_maps(ui, rect, std::move(maps)));
  const HeatMapInput input = heat_map(ui, rect, maps.front().map);
  read_other_map(ui, maps.front().map, input);
  return bar_of(input);
}

bool has_all_discs(const Ui& ui) {
  return ui.problem().seq_len() * ui.problem().kv_len() <= kMostDiscs;
}

constexpr int kLeastDecimals = 4;  // in the status bar

// "head 1 | head 2", "heads 1 | 2 | 3".
std::string names_of_heads(const Ui& ui) {
  const std::vector<int> heads = compared_heads(ui);
  if (heads.size() == 2) return head_name(ui, heads[0]) + " | " + head_name(ui, heads[1]);
  std::string numbers;
  for (const int head : heads) numbers += (numbers.empty() ? "" : " | ") + compared_name(ui, head);
  return ui.document().head_names.empty() ? tr("heads {}", {numbers}) : numbers;
}

// "head 1 0.7000 · head 2 0.1000 · head 3 0.2000".
std::string values_of_heads(const Ui& ui, Stage stage, Cell cell) {
  const std::vector<int> heads = compared_heads(ui);
  std::string text;
  for (std::size_t i = 0; i < std::min(heads.size(), kMostHeadValues); ++i)
    text += (i == 0 ? "" : " · ") + head_name(ui, heads[i]) + " " +
            ui.number((*matrix_of_head(ui, stage, heads[i]))(cell.row, cell.col), kLeastDecimals);
  return heads.size() > kMostHeadValues ? text + " …" : text;
}

}  // namespace

bool shows_heads_together(const Ui& ui, Stage stage) {
  const HeadView view = ui.state.heads.view;
  if (stage == Stage::kWeights) return view != HeadView::kFocused;
  const bool of_every_stage = view == HeadView::kBeside || view == HeadView::kDifference;
  return of_every_stage && is_per_head(stage) && ui.problem().config.n_heads > 1;
}

std::string heads_view_text(const Ui& ui) {
  const std::string first = head_name(ui, ui.state.head), second = head_name(ui, second_head(ui));
  const std::string all = std::to_string(ui.problem().config.n_heads);
  switch (ui.state.heads.view) {
    case HeadView::kMean:
      return all_are_active(ui) ? tr("mean of {} heads", {all})
                                : tr("mean: {}", {active_heads_text(ui)});
    case HeadView::kMaximum:
      return all_are_active(ui) ? tr("maximum of {} heads", {all})
                                : tr("maximum: {}", {active_heads_text(ui)});
    case HeadView::kDifference:
      return compared_heads(ui).size() > 2 ? tr("{} − the others", {first})
                                           : first + " − " + second;
    case HeadView::kBeside:
      return names_of_heads(ui);
    case HeadView::kOverlaid:
      return has_all_discs(ui) ? first + ", ● " + second
                               : tr("{}, ● {} (strongest)", {first, second});
    default:
      return {};
  }
}

namespace {

// "1 − 2", "1 | 2 | 3", "1, ● 2": no head is left out, however narrow the card is.
std::string numbers_of_compared(const Ui& ui) {
  const HeadView view = ui.state.heads.view;
  std::vector<int> heads = compared_heads(ui);
  if (heads.size() < 2) heads = {ui.state.head, second_head(ui)};
  std::string numbers = compared_name(ui, heads.front());
  for (std::size_t i = 1; i < heads.size(); ++i) {
    const bool minus = view == HeadView::kDifference;
    numbers += view == HeadView::kOverlaid ? ", ● " : !minus ? " | " : i == 1 ? " − " : ", ";
    numbers += compared_name(ui, heads[i]);
  }
  return numbers;
}

}  // namespace

std::string short_heads_view_text(const Ui& ui) {
  const HeadView view = ui.state.heads.view;
  if (shows_two_heads(view)) return numbers_of_compared(ui);
  if (all_are_active(ui)) return heads_view_text(ui);
  return view == HeadView::kMean ? tr("mean: {}", {active_head_numbers(ui)})
                                 : tr("max: {}", {active_head_numbers(ui)});
}

HeatMapInput heads_together(Ui& ui, const Rect& rect, const HeatMap& map) {
  const HeadView view = ui.state.heads.view;
  if (view == HeadView::kBeside) return beside(ui, rect, map);
  if (view == HeadView::kOverlaid) return overlaid(ui, rect, map);
  if (view == HeadView::kDifference) return differences(ui, rect, map);
  HeatMap combined = map_of_head(map, viewed_weights(ui, view), map.name);
  combined.range = heads_together_range(ui, combined.matrix, false);
  combined.range_notes = range_notes(ui, map.stage, *combined.range);
  const HeatMapInput input = heat_map(ui, rect, combined);
  read_other_map(ui, combined, input);
  return bar_of(input);
}

std::string heads_view_value(Ui& ui, Stage stage, Cell cell) {
  const HeadView view = ui.state.heads.view;
  if (!shows_two_heads(view))
    return heads_view_text(ui) + " " +
           ui.number((*viewed_weights(ui, view))(cell.row, cell.col), kLeastDecimals);
  if (compared_heads(ui).size() > 2) return values_of_heads(ui, stage, cell);
  const int second = second_head(ui);
  const auto number = [&](float value) { return ui.number(value, kLeastDecimals); };
  const float a = (*matrix_of_head(ui, stage, ui.state.head))(cell.row, cell.col);
  const float b = (*matrix_of_head(ui, stage, second))(cell.row, cell.col);
  return tr("{} {} · {} {} · difference {}", {head_name(ui, ui.state.head), number(a),
                                              head_name(ui, second), number(b), number(a - b)});
}

}  // namespace lab::view
