#include "app/figure/model/model_maps.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/base/visible_text.h"
#include "app/figure/compose/range.h"
#include "app/figure/compose/sheet.h"
#include "app/figure/compose/stage_sheet.h"
#include "app/translation/words.h"

namespace lab::figure {
namespace {

using attention::Index;
using attention::Stage;

constexpr int kMapsInALine = 2;
constexpr float kMutedValue = -std::numeric_limits<float>::infinity();

// Signed numbers are coloured like scores, others like weights.
Stage like_stage(const ModelMap& map) { return map.is_signed ? Stage::kScores : Stage::kWeights; }

Range separate_range(const ModelMap& map, RangeRule rule) {
  if (rule == RangeRule::kRobust) return robust_range(like_stage(map), map.values);
  if (map.is_signed || map.most == 1) return automatic_range(like_stage(map), map.values);
  return {0, map.most};
}

Range with_spread_of(const FigureOptions& options, Range range) {
  range.spread = options.spread;
  return range;
}

Range range_of(const ModelMaps& maps, const ModelMap& map, const FigureOptions& options) {
  Range range = separate_range(map, options.range_rule);
  if (options.range_rule == RangeRule::kFixed) return with_spread_of(options, options.range);
  if (options.range_rule == RangeRule::kShared || maps.one_scale)
    for (const ModelMap& other : maps.maps)
      range = united(range, separate_range(other, options.range_rule));
  return with_spread_of(options, options.centre ? centred(range, *options.centre) : range);
}

std::vector<std::string> printable_all(std::vector<std::string> texts) {
  for (std::string& text : texts) text = printable(text);
  return texts;
}

// The numbers of heads; a layer without attention has none.
std::vector<std::string> texts_of(const FigureOptions& options, const attention::Matrix& values) {
  std::vector<std::string> texts = number_texts(options, values);
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (std::isnan(
            values(static_cast<Index>(i) / values.cols(), static_cast<Index>(i) % values.cols())))
      texts[i] = "–";
  return texts;
}

Panel panel_of(const ModelMaps& maps, const ModelMap& map, FigureOptions options) {
  options.annotate = true;
  Panel panel;
  attention::Matrix values = map.values;
  for (const auto& [layer, head] : map.muted) values(layer, head) = kMutedValue;
  panel.values = attention::SharedMatrix(std::move(values));
  if (options.row_labels) panel.row_labels = printable_all(map.row_labels);
  if (options.column_labels) panel.column_labels = printable_all(map.column_labels);
  panel.square = map.square;
  panel.title = maps.maps.size() > 1 ? map.title : "";
  if (maps.maps.size() == 1)
    panel.row_caption = map.row_caption, panel.column_caption = map.column_caption;
  panel.palette = options.palette.value_or(default_palette(like_stage(map)));
  panel.range = range_of(maps, map, options);
  panel.tokens = !map.tokens.empty();
  panel.cell_texts = panel.tokens ? printable_all(map.tokens) : texts_of(options, map.values);
  return panel;
}

Sheet sheet_of(const ModelMaps& maps, const FigureOptions& options, double width, double font) {
  constexpr double kLettersOfMap = 11;  // the width of a map beside others, in fonts
  Sheet sheet;
  sheet.title = asked_title(options).value_or(printable(maps.title));
  if (!options.title) sheet.subtitle = printable(caption_text(maps.caption));
  sheet.minus_infinity = tr("muted");
  sheet.gap = options.gap;
  for (const ModelMap& map : maps.maps) sheet.panels.push_back(panel_of(maps, map, options));
  const auto count = static_cast<int>(sheet.panels.size());
  const int fitting = fitting_columns(width, font, kLettersOfMap);
  const int columns = std::min({count, fitting, kMapsInALine});
  sheet.lines = lines_of(count, columns);
  return sheet;
}

std::vector<std::string> numbered(const char* letter, Index count) {
  std::vector<std::string> names;
  for (Index i = 0; i < count; ++i) names.push_back(letter + std::to_string(i));
  return names;
}

}  // namespace

ModelMap map_of_heads(const std::string& title, const std::string& name,
                      const attention::Matrix& values) {
  ModelMap map;
  map.title = title;
  map.name = name;
  map.values = values;
  map.row_labels = numbered("L", values.rows());
  for (Index layer = 0; layer < values.rows(); ++layer)
    if (values.row(layer).array().isNaN().all())
      map.row_labels[static_cast<std::size_t>(layer)] += " conv";
  map.column_labels = numbered("H", values.cols());
  map.row_caption = tr("layer##axis");
  map.column_caption = tr("head##axis");
  return map;
}

double suitable_width_mm(const ModelMaps& maps) {
  constexpr double kNumber = 7, kToken = 14, kLabels = 22;  // of a cell, and of the labels beside
  constexpr double kNarrowest = 89, kWidest = 183;
  double widest = 0;
  for (const ModelMap& map : maps.maps)
    widest = std::max(
        widest,
        static_cast<double>(map.values.cols()) * (map.tokens.empty() ? kNumber : kToken) + kLabels);
  const auto beside = std::min(static_cast<double>(maps.maps.size()), double{kMapsInALine});
  return std::clamp(widest * beside, kNarrowest, kWidest);
}

Figure model_maps_figure(const ModelMaps& maps, const FigureOptions& options) {
  constexpr double kStep = 0.93, kSmallestFont = 3;
  Look look = page_look(options);
  const PageSize size = page_size(options);
  Sheet sheet = sheet_of(maps, options, size.width, look.font);
  while (!has_room(sheet, look, size) && look.font * kStep >= kSmallestFont) {
    look.font *= kStep;
    sheet = sheet_of(maps, options, size.width, look.font);
  }
  Figure figure = draw_sheet(sheet, look, size);
  figure.transparent = options.transparent;
  return figure;
}

}  // namespace lab::figure
