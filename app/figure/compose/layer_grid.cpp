#include "app/figure/compose/layer_grid.h"

#include <algorithm>

#include "app/document/model/layer_name.h"
#include "app/explain/stage_text.h"
#include "app/figure/compose/stage_sheet.h"
#include "app/translation/words.h"

namespace lab::figure {
namespace {

using attention::Index;

constexpr double kMapsShare = 0.85;      // of the page's width
constexpr double kLeastTokenRow = 0.73;  // fonts
constexpr double kGap = 0.4;             // between maps, of that between maps with titles

bool has_room_for_tokens(const Panel& panel, int columns, double width, double font) {
  const auto n = static_cast<double>(std::max(panel.values->rows(), panel.values->cols()));
  return kMapsShare * width / columns / n >= kLeastTokenRow * font;
}

// The options with the range that all heads share, which is found once and not for each head.
FigureOptions with_range(const FigureSource& source) {
  FigureOptions options = source.options;
  if (options.range_rule != RangeRule::kShared) return options;
  options.range = stage_panel(source, options.stage, 0).range;
  options.range_rule = RangeRule::kFixed;
  return options;
}

bool have_one_range(const std::vector<Panel>& panels) {
  return std::ranges::all_of(
      panels, [&](const Panel& panel) { return panel.range == panels.front().range; });
}

void add_titles(const FigureSource& source, int columns, Sheet& sheet) {
  for (Index head = 0; head < source.heads(); ++head) {
    const auto named = model_head_from_name(head_number(source.document, head));
    if (!named) continue;
    if (head % columns == 0) sheet.line_titles.push_back("L" + std::to_string(named->at.layer));
    if (head < columns) sheet.column_titles.push_back("H" + std::to_string(named->head));
  }
}

// The weights' title; of a decoder's attention to its encoder, and of an encoder, it says so.
std::string grid_title(const FigureSource& source) {
  using attention::network::Sublayer;
  std::string title =
      tr("{} of every layer and head", {explain::full_stage_title(source.options.stage)});
  const auto first = model_head_from_name(head_number(source.document, 0));
  if (!first || first->at.sublayer == Sublayer::kSelf) return title;
  const bool cross = first->at.sublayer == Sublayer::kCross;
  return title + " · " + (cross ? tr("Decoder to encoder") : tr("Encoder"));
}

}  // namespace

Sheet layer_grid(const FigureSource& source, double width, double font) {
  const FigureOptions options = with_range(source);
  const FigureSource shared{source.document, source.trace, options, nullptr, source.common};
  const int columns = std::max(1, options.grid_columns);
  Sheet sheet;
  sheet.title = grid_title(source);
  sheet.labels_once = true;
  sheet.gap = kGap * options.gap;
  for (Index head = 0; head < source.heads(); ++head) {
    Panel& panel = sheet.panels.emplace_back(stage_panel(shared, options.stage, head));
    panel.title = head_number(source.document, head);
    panel.muted = attention::head_gain(source.document.problem, head) == 0;
    if (has_room_for_tokens(panel, columns, width, font)) continue;
    panel.row_labels.clear(), panel.column_labels.clear();
  }
  sheet.shared_bar = options.colour_bar && have_one_range(sheet.panels);
  sheet.lines = lines_of(static_cast<int>(sheet.panels.size()), columns);
  add_titles(source, columns, sheet);
  return sheet;
}

FigureOptions with_layers(const Document& all, const std::string& caption, FigureOptions options) {
  constexpr double kGoodMap = 15, kLeastMap = 6, kWidest = 183;  // millimetres
  const std::string& first = all.head_names.front();
  const std::string layer = first.substr(0, first.rfind('H') + 1);
  options.grid_columns = static_cast<int>(std::ranges::count_if(
      all.head_names, [&](const std::string& name) { return name.starts_with(layer); }));
  options.layers = true;
  options.subtitle = caption;
  const bool grid = options.type == FigureType::kHeads && options.heads.empty();
  if (!grid || options.width_mm != FigureOptions().width_mm) return options;
  options.width_mm = std::max({options.width_mm, kLeastMap * options.grid_columns,
                               std::min(kGoodMap * options.grid_columns, kWidest)});
  return options;
}

}  // namespace lab::figure
