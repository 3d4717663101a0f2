#include "app/figure/stage_figure.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "app/figure/number_text.h"
#include "app/figure/range.h"
#include "app/figure/sheet.h"
#include "app/figure/stage_text.h"

namespace lab {
namespace {

using attention::Index;
using attention::Stage;

constexpr double kPointsPerMillimetre = 72 / 25.4;

/// What every function here reads.
struct Source {
  const Document& document;
  const attention::Trace& trace;
  const FigureOptions& options;

  const attention::SharedMatrix& values(Stage stage, Index head) const {
    return attention::stage_matrix(document.problem, trace, stage, head);
  }
  Index heads() const { return static_cast<Index>(trace.heads.size()); }
};

std::vector<std::string> row_labels(const Document& document, Stage stage, Index count) {
  std::vector<std::string> labels;
  for (Index i = 0; i < count; ++i) labels.push_back(row_label(document, stage, i));
  return labels;
}

std::vector<std::string> column_labels(const Document& document, Stage stage, Index count) {
  std::vector<std::string> labels;
  for (Index j = 0; j < count; ++j) labels.push_back(column_label(document, stage, j));
  return labels;
}

Range range_of(const Source& source, Stage stage, Index head) {
  if (source.options.range_rule == RangeRule::kFixed) return source.options.range;
  Range range = automatic_range(stage, *source.values(stage, head));
  if (source.options.range_rule == RangeRule::kShared && attention::is_per_head(stage))
    for (Index h = 0; h < source.heads(); ++h)
      range = united(range, automatic_range(stage, *source.values(stage, h)));
  return range;
}

std::vector<std::string> cell_texts(const FigureOptions& options, const attention::Matrix& values) {
  constexpr Index kMostNumbers = 40000;  // beyond it no cell of any page has room for a number
  if (!options.annotate || values.size() > kMostNumbers) return {};
  std::vector<std::string> texts;
  for (Index i = 0; i < values.size(); ++i)
    texts.push_back(options.significant ? format_significant(values.data()[i], options.decimals)
                                        : format_fixed(values.data()[i], options.decimals));
  return texts;
}

Panel panel_of(const Source& source, Stage stage, Index head) {
  Panel panel;
  panel.values = source.values(stage, head);
  panel.row_labels = row_labels(source.document, stage, panel.values->rows());
  panel.column_labels = column_labels(source.document, stage, panel.values->cols());
  const bool keys = attention::has_key_columns(stage);
  panel.number_columns = !keys && (source.document.dimensions.empty() ||
                                   !has_dimension_columns(source.document, stage));
  panel.square = keys;
  panel.block = stage == Stage::kConcat ? source.document.problem.config.d_v : 0;
  panel.palette = source.options.palette.value_or(default_palette(stage));
  panel.range = range_of(source, stage, head);
  panel.cell_texts = cell_texts(source.options, *panel.values);
  return panel;
}

std::string head_name(Index head) { return "head " + std::to_string(head + 1); }

Sheet one_stage(const Source& source, Stage stage, Index head) {
  Sheet sheet;
  sheet.title = full_stage_title(stage);
  if (attention::is_per_head(stage) && source.heads() > 1) sheet.title += ", " + head_name(head);
  sheet.formula = stage_formula(source.document.problem, stage);
  sheet.panels.push_back(panel_of(source, stage, head));
  sheet.lines = {{1, 1}};
  if (attention::has_key_columns(stage)) {
    sheet.panels.front().row_caption = "query";
    sheet.panels.front().column_caption = "key";
  }
  return sheet;
}

/// Near a square, with few places left empty.
int grid_columns(Index count) {
  const auto root = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(count))));
  const auto empty = [&](int columns) { return (columns - count % columns) % columns; };
  return count > 2 && empty(root + 1) < empty(root) ? root + 1 : root;
}

/// `count` panels in lines of `columns`, the last of which may be shorter.
std::vector<Line> lines_of(int count, int columns) {
  std::vector<Line> lines;
  for (int left = count; left > 0; left -= columns)
    lines.push_back({std::min(left, columns), columns});
  return lines;
}

bool all_ranges_equal(const std::vector<Panel>& panels) {
  return std::ranges::all_of(panels, [&](const Panel& p) { return p.range == panels[0].range; });
}

Sheet all_heads(const Source& source, Stage stage, double width, double font) {
  Sheet sheet;
  sheet.title = full_stage_title(stage) + " of every head";
  sheet.formula = stage_formula(source.document.problem, stage);
  sheet.labels_once = true;
  for (Index head = 0; head < source.heads(); ++head) {
    sheet.panels.push_back(panel_of(source, stage, head));
    sheet.panels.back().title = "Head " + std::to_string(head + 1);
  }
  sheet.shared_bar = all_ranges_equal(sheet.panels);
  for (Panel& panel : sheet.panels) panel.colour_bar = !sheet.shared_bar;
  const double narrowest = font * (sheet.shared_bar ? 5 : 11);
  const int fitting = std::max(1, static_cast<int>(0.7 * width / narrowest));
  sheet.lines =
      lines_of(static_cast<int>(source.heads()), std::min(grid_columns(source.heads()), fitting));
  return sheet;
}

/// Adds lines that are all filled, as even as can be, for `count` panels.
void add_even_lines(std::vector<Line>& lines, int count, int columns) {
  for (int left = count, rows = (count + columns - 1) / columns; rows > 0; --rows) {
    const int here = (left + rows - 1) / rows;
    lines.push_back({here, here});
    left -= here;
  }
}

/// Wide pages show the three acts of the formula, all lines filled: X Q K V, scores to weights,
/// head output to output. Others take as many columns as stay readable.
std::vector<Line> pipeline_lines(const std::vector<Stage>& stages, double width, double font) {
  const int columns = static_cast<int>(width / (17 * font));
  const auto count = static_cast<int>(stages.size());
  if (columns < 4) return lines_of(count, std::max(columns, 1));
  const auto keyed = static_cast<int>(std::ranges::count_if(stages, attention::has_key_columns));
  const auto before = static_cast<int>(
      std::ranges::count_if(stages, [](Stage stage) { return stage < Stage::kScores; }));
  std::vector<Line> lines;
  add_even_lines(lines, before, columns);
  add_even_lines(lines, keyed, columns);
  add_even_lines(lines, count - before - keyed, columns);
  return lines;
}

Sheet pipeline(const Source& source, Index head, double width, double font) {
  Sheet sheet;
  sheet.title = source.heads() > 1 ? "Every stage of " + head_name(head) : "Every stage";
  const std::vector<Stage> stages = pipeline_stages(source.document.problem);
  for (const Stage stage : stages) {
    Panel panel = panel_of(source, stage, head);
    panel.title = stage_title(stage);
    panel.formula = stage_formula(source.document.problem, stage);
    panel.note = shape_text(panel.values.shape());
    sheet.panels.push_back(std::move(panel));
  }
  sheet.lines = pipeline_lines(stages, width, font);
  return sheet;
}

Sheet sheet_of(const Source& source, double width, double font) {
  const FigureOptions& options = source.options;
  if (options.head && (*options.head < 0 || *options.head >= source.heads()))
    throw std::out_of_range("There is no " + head_name(*options.head) + ": the model has " +
                            std::to_string(source.heads()) + ".");
  if (options.stage && source.values(*options.stage, 0)->size() == 0)
    throw std::out_of_range("There is no " + std::string(stage_name(*options.stage)) +
                            " in this model.");
  if (!options.stage) return pipeline(source, options.head.value_or(0), width, font);
  if (!options.head && attention::is_per_head(*options.stage) && source.heads() > 1)
    return all_heads(source, *options.stage, width, font);
  return one_stage(source, *options.stage, options.head.value_or(0));
}

}  // namespace

Look look_of(const FigureOptions& options) {
  Look look;
  look.font = std::isfinite(options.font_size) ? std::clamp(options.font_size, 3.0, 40.0) : 7;
  look.dark = options.dark;
  look.background = options.dark ? Rgb{0x1d, 0x21, 0x27} : Rgb{255, 255, 255};
  look.text = options.dark ? Rgb{0xe6, 0xe9, 0xee} : Rgb{0x1b, 0x24, 0x30};
  look.muted = options.dark ? Rgb{0xa3, 0xad, 0xba} : Rgb{0x5a, 0x66, 0x75};
  look.line = options.dark ? Rgb{0x3d, 0x45, 0x50} : Rgb{0xc3, 0xc9, 0xd1};
  return look;
}

namespace {

/// A sheet on its page.
struct Page {
  Sheet sheet;
  Look look;
  double width = 0;  // points
};

Page page_of(const Document& document, const attention::Trace& trace,
             const FigureOptions& options) {
  Page page;
  page.look = look_of(options);
  const double asked =
      std::isfinite(options.width_mm) ? std::clamp(options.width_mm, 20.0, 2000.0) : 89;
  page.width = asked * kPointsPerMillimetre;
  // On a page too narrow for its letters, labels would leave no room for the map.
  page.look.font = std::min(page.look.font, page.width / 18);
  page.sheet = sheet_of(Source{document, trace, options}, page.width, page.look.font);
  if (options.title) page.sheet.title = *options.title;
  return page;
}

bool numbers_fit(const Page& page) {
  const SheetPlaces places = lay_out_sheet(page.sheet, page.look, page.width);
  for (std::size_t i = 0; i < page.sheet.panels.size(); ++i)
    if (number_size(page.sheet.panels[i], places.panels[i], page.look) <= 0) return false;
  return true;
}

}  // namespace

Figure stage_figure(const Document& document, const attention::Trace& trace,
                    const FigureOptions& options) {
  const Page page = page_of(document, trace, options);
  return draw_sheet(page.sheet, page.look, page.width);
}

std::optional<double> width_for_numbers(const Document& document, const attention::Trace& trace,
                                        FigureOptions options, double most_mm) {
  options.annotate = true;
  const auto fits = [&](double width_mm) {
    options.width_mm = width_mm;
    return numbers_fit(page_of(document, trace, options));
  };
  double narrow = options.width_mm, wide = most_mm;
  if (fits(narrow)) return narrow;
  if (!fits(wide)) return std::nullopt;
  narrow = std::floor(narrow);
  while (wide - narrow > 1) {
    const double middle = std::floor((narrow + wide) / 2);
    (fits(middle) ? wide : narrow) = middle;
  }
  return wide;
}

}  // namespace lab
