#include "app/figure/compose/stage_sheet.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <stdexcept>

#include "app/explain/stage_text.h"
#include "app/figure/compose/layer_grid.h"
#include "app/figure/compose/range.h"
#include "app/figure/compose/shown_tokens.h"
#include "app/translation/words.h"
#include "core/analysis/combine.h"

namespace lab::figure {
namespace {

using attention::Index;
using attention::Stage;

void name_axes(Panel& panel, Stage stage) {
  if (!attention::has_key_columns(stage)) return;
  panel.row_caption = tr("query##axis");
  panel.column_caption = tr("key##axis");
}

Sheet one_stage(const FigureSource& source, Stage stage, Index head) {
  Sheet sheet;
  sheet.title = explain::full_stage_title(stage);
  if (attention::is_per_head(stage) && source.heads() > 1)
    sheet.title = tr("{}, head {}", {sheet.title, head_number(source.document, head)});
  sheet.formula = formula_in_figure(source, stage);
  sheet.panels.push_back(stage_panel(source, stage, head));
  sheet.lines = {{1, 1}};
  name_axes(sheet.panels.front(), stage);
  return sheet;
}

/// The number of columns of a nearly square grid with few empty cells.
int grid_columns(Index count) {
  const auto root = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(count))));
  const auto empty = [&](int columns) { return (columns - count % columns) % columns; };
  return count > 2 && empty(root + 1) < empty(root) ? root + 1 : root;
}

bool all_ranges_equal(const std::vector<Panel>& panels) {
  return std::ranges::all_of(panels, [&](const Panel& p) { return p.range == panels[0].range; });
}

std::vector<Index> all_heads(const FigureSource& source) {
  std::vector<Index> heads(static_cast<std::size_t>(source.heads()));
  std::iota(heads.begin(), heads.end(), Index{0});
  return heads;
}

/// "1, 3".
std::string list_of_heads(const Document& document, std::span<const Index> heads) {
  std::string list;
  for (const Index head : heads) list += (list.empty() ? "" : ", ") + head_number(document, head);
  return list;
}

/// "Weights of heads 1, 2 and 3", or "Weights of every head" if there are none.
std::string title_of_heads(const FigureSource& source) {
  const std::vector<Index>& heads = source.options.heads;
  const std::string title = explain::full_stage_title(source.options.stage);
  if (heads.empty()) return tr("{} of every head", {title});
  const std::string last = head_number(source.document, heads.back());
  if (heads.size() == 1) return tr("{}, head {}", {title, last});
  const std::string first =
      list_of_heads(source.document, std::span(heads).first(heads.size() - 1));
  return tr("{} of heads {} and {}", {title, first, last});
}

/// The heads that are active, for a title.
struct ActiveHeads {
  std::string list;  ///< "1, 3"
  bool one = false, all = false;
};

ActiveHeads list_active_heads(const Document& document) {
  const std::vector<Index> active = attention::active_heads(document.problem);
  return {list_of_heads(document, active), active.size() == 1,
          std::ssize(active) == document.problem.config.n_heads};
}

/// The mean or the maximum of the heads. No head has computed these numbers: there are no overrides
/// among them.
Sheet combined_heads(const FigureSource& source) {
  const bool mean = source.options.type == FigureType::kMean;
  const Document& document = source.document;
  const attention::Trace trace =
      mean ? attention::with_mean_weights(document.problem, source.trace)
           : attention::with_largest_weights(document.problem, source.trace);
  Sheet sheet = one_stage({document, trace, source.options, nullptr, source.common},
                          Stage::kWeights, source.options.head);
  sheet.title = mean ? title_of_mean(document) : title_of_maximum(document);
  std::erase_if(sheet.panels.front().marks,
                [](const PanelMark& mark) { return mark.type == PanelMark::kOverride; });
  return sheet;
}

Sheet several_heads(const FigureSource& source, Stage stage, double width, double font) {
  Sheet sheet;
  sheet.title = title_of_heads(source);
  sheet.formula = formula_in_figure(source, stage);
  sheet.labels_once = true;
  sheet.gap = source.options.gap;
  for (const Index head : source.options.heads.empty() ? all_heads(source) : source.options.heads) {
    sheet.panels.push_back(stage_panel(source, stage, head));
    sheet.panels.back().title = head_title(source.document, head);
  }
  const bool bar = source.options.colour_bar;
  sheet.shared_bar = bar && all_ranges_equal(sheet.panels);
  const int fitting = fitting_columns(width, font, bar && !sheet.shared_bar ? 11 : 5);
  const auto count = static_cast<int>(sheet.panels.size());
  const int columns = source.options.grid_columns;
  sheet.lines = lines_of(count, columns > 0 ? columns : std::min(grid_columns(count), fitting));
  return sheet;
}

/// Two maps with a common range, and their difference.
Sheet two_and_difference(const FigureSource& source, Panel first, Panel second, Panel difference,
                         double width, double font) {
  Sheet sheet;
  sheet.labels_once = true;
  sheet.gap = source.options.gap;
  if (source.options.range_rule != RangeRule::kFixed)
    first.range = second.range = united(first.range, second.range);
  sheet.formula = formula_in_figure(source, source.options.stage);
  sheet.panels = {std::move(first), std::move(second), std::move(difference)};
  sheet.lines = lines_of(3, fitting_columns(width, font, 11) >= 3 ? 3 : 1);
  return sheet;
}

Sheet two_heads(const FigureSource& source, Stage stage, double width, double font) {
  const Index one = source.options.head, other = source.options.second_head;
  Panel first = stage_panel(source, stage, one), second = stage_panel(source, stage, other);
  Panel difference = difference_panel(source, first, *second.values, *first.values);
  first.title = head_title(source.document, one);
  second.title = head_title(source.document, other);
  difference.title = first.title + " − " + head_name(source.document, other);
  Sheet sheet = two_and_difference(source, std::move(first), std::move(second),
                                   std::move(difference), width, font);
  sheet.title = tr("{} of heads {} and {}",
                   {explain::full_stage_title(stage), head_number(source.document, one),
                    head_number(source.document, other)});
  return sheet;
}

Sheet two_sentences(const FigureSource& source, const PairedTokens& pairs, double width,
                    double font) {
  Sheet sheet;
  sheet.gap = source.options.gap;
  sheet.formula = formula_in_figure(source, source.options.stage);
  sheet.panels = panels_of_two_sentences(source, pairs);
  const auto count = static_cast<int>(sheet.panels.size());
  sheet.lines = lines_of(count, std::min(count, fitting_columns(width, font, 11)));
  return sheet;
}

Sheet two_states(const FigureSource& source, Stage stage, Index head, double width, double font) {
  const PairedTokens pairs = paired_tokens(source.kept->document, source.document);
  if (!pairs.equal) return two_sentences(source, pairs, width, font);
  Panel before = stage_panel(source.of_kept(), stage, head),
        after = stage_panel(source, stage, head);
  Panel difference = difference_panel(source, after, *before.values, *after.values);
  before.title = "A", after.title = "B", difference.title = "B − A";
  return two_and_difference(source, std::move(before), std::move(after), std::move(difference),
                            width, font);
}

Sheet titled_states(const FigureSource& source, Stage stage, Index head, double width,
                    double font) {
  check_comparable(source, stage, head);
  Sheet sheet = two_states(source, stage, head, width, font);
  sheet.title = tr("{}, A and B", {explain::full_stage_title(stage)});
  if (attention::is_per_head(stage) && source.heads() > 1)
    sheet.title += ", " + head_name(source.document, head);
  return sheet;
}

/// Adds full lines, as even as possible, for `count` panels.
void add_even_lines(std::vector<Line>& lines, int count, int columns) {
  for (int left = count, rows = (count + columns - 1) / columns; rows > 0; --rows) {
    const int here = (left + rows - 1) / rows;
    lines.push_back({here, here});
    left -= here;
  }
}

/// Wide pages show the three sections of the formula in full lines: X Q K V, scores to weights,
/// head output to output. Others get as many columns as remain readable.
std::vector<Line> pipeline_lines(const std::vector<Stage>& stages, double width, double font) {
  const int columns = static_cast<int>(width / (17 * font));
  const auto count = static_cast<int>(stages.size());
  if (columns < 4) return lines_of(count, std::max(columns, 1));
  const auto keyed = static_cast<int>(std::ranges::count_if(stages, attention::has_key_columns));
  const auto before = static_cast<int>(std::ranges::count_if(stages, [](Stage stage) {
    return attention::stage_info(stage).section < attention::StageSection::kScores;
  }));
  std::vector<Line> lines;
  add_even_lines(lines, before, columns);
  add_even_lines(lines, keyed, columns);
  add_even_lines(lines, count - before - keyed, columns);
  return lines;
}

Sheet pipeline(const FigureSource& source, Index head, double width, double font) {
  Sheet sheet;
  sheet.title = source.heads() > 1 ? tr("Every stage of {}", {head_name(source.document, head)})
                                   : tr("Every stage");
  const std::vector<Stage> stages = explain::pipeline_stages(source.document.problem);
  for (const Stage stage : stages) {
    Panel panel = stage_panel(source, stage, head);
    panel.title = explain::stage_title(stage);
    panel.formula = formula_in_figure(source, stage);
    panel.note = explain::shape_text(panel.values.shape());
    sheet.panels.push_back(std::move(panel));
  }
  sheet.lines = pipeline_lines(stages, width, font);
  return sheet;
}

/// "(a)" … "(z)", "(aa)" …
std::string panel_letter(std::size_t index) {
  constexpr std::size_t kLetters = 26;
  std::string letters;
  for (std::size_t left = index + 1; left > 0; left = (left - 1) / kLetters)
    letters.insert(letters.begin(), static_cast<char>('a' + (left - 1) % kLetters));
  return "(" + letters + ")";
}

/// A single panel needs no letter.
void add_letters(Sheet& sheet) {
  if (sheet.panels.size() < 2) return;
  for (std::size_t i = 0; i < sheet.panels.size(); ++i)
    sheet.panels[i].title = panel_letter(i) + " " + sheet.panels[i].title;
}

void check_stage(const FigureSource& source, Stage stage) {
  if (source.values(stage, 0)->size() > 0) return;
  throw std::out_of_range("There is no " + std::string(stage_name(stage)) + " in this model.");
}

}  // namespace

std::string formula_in_figure(const FigureSource& source, Stage stage) {
  return source.options.gradient_of.empty() ? explain::stage_formula(source.document.problem, stage)
                                            : std::string();
}

std::string title_of_numbers(const FigureOptions& options, const std::string& title) {
  return options.gradient_of.empty() ? title
                                     : tr("What moves {}: {}", {options.gradient_of, title});
}

std::string title_of_mean(const Document& document) {
  const ActiveHeads active = list_active_heads(document);
  const std::string title = explain::full_stage_title(Stage::kWeights);
  if (active.one) return tr("{}, head {}", {title, active.list});
  return active.all ? tr("{}, mean of all heads", {title})
                    : tr("{}, mean of heads {}", {title, active.list});
}

std::string title_of_maximum(const Document& document) {
  const ActiveHeads active = list_active_heads(document);
  const std::string title = explain::full_stage_title(Stage::kWeights);
  if (active.one) return tr("{}, head {}", {title, active.list});
  return active.all ? tr("{}, maximum of all heads", {title})
                    : tr("{}, maximum of heads {}", {title, active.list});
}

void check_head(const FigureSource& source, Index head) {
  if (head >= 0 && head < source.heads()) return;
  throw std::out_of_range("There is no " + head_name(source.document, head) + ": the model has " +
                          std::to_string(source.heads()) + ".");
}

void check_comparable(const FigureSource& source, Stage stage, Index head) {
  if (source.kept == nullptr) throw std::out_of_range("There is no state A to compare with.");
  const FigureSource kept = source.of_kept();
  if (attention::is_per_head(stage) && head >= kept.heads())
    throw std::out_of_range("A has no " + head_name(source.document, head) + ".");
  const auto a = kept.values(stage, head).shape(), b = source.values(stage, head).shape();
  if (a == attention::Shape{})
    throw std::out_of_range("There is no " + std::string(stage_name(stage)) + " in A.");
  if (a == b || !paired_tokens(kept.document, source.document).equal) return;
  throw std::out_of_range("A is " + explain::shape_text(a) + ", B is " + explain::shape_text(b) +
                          ": there is no difference cell by cell.");
}

namespace {

Sheet sheet_of(const FigureSource& source, double width, double font) {
  const FigureOptions& options = source.options;
  const Stage stage = options.stage;
  const bool has_heads = attention::is_per_head(stage) && source.heads() > 1;
  if (options.type != FigureType::kHeads) check_head(source, options.head);
  for (const Index head : options.heads) check_head(source, head);
  if (options.type == FigureType::kMap && options.matrix)
    return matrix_sheet(source, *options.matrix, options.head);
  if (options.type == FigureType::kPipeline) return pipeline(source, options.head, width, font);
  check_stage(source, stage);
  if (options.type == FigureType::kTwoStates)
    return titled_states(source, stage, options.head, width, font);
  if (options.type == FigureType::kTwoHeads) check_head(source, options.second_head);
  if (options.type == FigureType::kTwoHeads && has_heads)
    return two_heads(source, stage, width, font);
  const bool combined = options.type == FigureType::kMean || options.type == FigureType::kMaximum;
  if (combined && has_heads && stage == Stage::kWeights) return combined_heads(source);
  if (options.type == FigureType::kHeads && has_heads && options.layers && options.heads.empty())
    return layer_grid(source, width, font);
  if (options.type == FigureType::kHeads && has_heads)
    return several_heads(source, stage, width, font);
  return one_stage(source, stage, options.type == FigureType::kHeads ? 0 : options.head);
}

}  // namespace

Sheet stage_sheet(const FigureSource& source, double width, double font) {
  check_tokens(source);
  Sheet sheet = sheet_of(source, width, font);
  sheet.title = title_of_numbers(source.options, sheet.title);
  if (source.options.letters) add_letters(sheet);
  return sheet;
}

}  // namespace lab::figure
