#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>

#include "app/base/wording.h"
#include "app/explain/explain_parts.h"
#include "app/explain/explain_text.h"
#include "app/explain/number_text.h"
#include "app/translation/words.h"

// From scores to weights.

namespace lab::explain {
namespace {

using attention::Explanation;
using attention::Index;
using attention::Stage;
using attention::Term;

std::string scaling_words(const attention::Config& config) {
  std::string words;
  if (config.scale) words = "÷ √" + std::to_string(config.d_k);
  if (config.temperature != 1.0f) {
    words += (words.empty() ? "÷ " : " ÷ ") + format_significant(config.temperature, 4);
  }
  return words.empty() ? tr("not scaled") : words;
}

std::string bias_text(const Term& term, NumberText number) {
  return tr("bias {}", {number(term.a.value)});
}

// What is added to a scaled score: "plus bias 0.50, minus slope 0.25 · distance 3".
std::string additions(const Explanation& cell, NumberText number) {
  std::string words;
  for (const Term& term : std::span(cell.terms).subspan(1)) {
    if (!words.empty()) words += ", ";
    words += term.b ? tr("minus slope {} · distance {}", {format_significant(term.a.value, 3),
                                                          format_significant(-term.b->value, 4)})
                    : tr("plus {}", {bias_text(term, number)});
  }
  return words;
}

// "50 · tanh(2.31 ÷ 50) ="; a cell that is overridden says so instead.
void add_capped(Lines& lines, const Document& document, const Explanation& cell,
                NumberText number) {
  if (!is_active(document.problem, Stage::kCappedScores)) return;
  lines.push_back(line_of_cell(cell, tr("capped"), number, {}));
  if (cell.overridden || cell.cap == 0) return;
  const std::string cap = format_significant(static_cast<float>(cell.cap), 4);
  const std::string score = number(cell.terms.front().a.value);
  lines.back().before = cap + " · tanh(" + score + " ÷ " + cap + ") =";
  lines.back().rounded =
      !is_rounding_of(cell.cap * std::tanh(shown_value(score) / cell.cap), lines.back().result);
}

void add_masked(Lines& lines, const Document& document, const Explanation& cell,
                NumberText number) {
  if (!is_active(document.problem, Stage::kMaskedScores)) return;
  std::string words = reason_words(cell.reasons);
  if (words.empty()) words = additions(cell, number);
  if (words.empty()) words = tr("may be attended to");
  lines.push_back(line_of_cell(cell, tr("masked"), number, words));
  const auto terms = std::span(cell.terms);
  const bool shows_terms =
      std::ranges::none_of(terms, [](const Term& t) { return t.b.has_value(); });
  if (shows_terms && cell.reasons.empty()) check_sum(lines.back(), cell, number);
  for (const Term& term : terms.subspan(1))
    if (!term.b) mention(lines.back(), bias_text(term, number), term.a.cell);
}

// The score that is the largest of its row, or the sink.
attention::CellRef largest(const Explanation& weight) {
  const auto& exponentials = weight.softmax->exponentials;
  if (weight.softmax->sink && weight.softmax->of_sink == 1) return weight.softmax->sink->cell;
  attention::CellRef cell = weight.terms.front().a.cell;
  cell.col = std::ranges::max_element(exponentials) - exponentials.begin();
  return cell;
}

// "e^(1.20 − 2.50) =", and what part of the row the sink takes.
void add_sink(Lines& lines, const attention::SoftmaxDetails& details, NumberText number) {
  const double share = details.of_sink / details.denominator;
  lines.push_back(result_line(tr("exp of sink"), number(details.of_sink),
                              tr("no key: {} of the row go nowhere", {number(share)})));
  const std::string sink = number(details.sink->value);
  lines.back().before = "e^(" + sink + " − " + number(details.maximum) + ") =";
  lines.back().rounded = !is_rounding_of(
      std::exp(shown_value(sink) - shown_value(number(details.maximum))), lines.back().result);
  lines.back().source = details.sink->cell;
}

void add_softmax(Lines& lines, const Explanation& cell, NumberText number) {
  const auto& details = *cell.softmax;
  if (details.denominator == 0) {
    lines.push_back(line_of_cell(cell, tr("weight"), number, tr("nothing to attend to")));
    return;
  }
  const double exponential = details.exponentials[static_cast<std::size_t>(cell.col)];
  const double score = cell.terms.front().a.value;
  lines.push_back(result_line(tr("row max"), number(details.maximum), tr("subtracted before exp")));
  lines.back().source = largest(cell);
  lines.push_back(result_line("exp", number(exponential)));
  lines.back().before = "e^(" + number(score - details.maximum) + ") =";
  if (details.sink) add_sink(lines, details, number);
  lines.push_back(
      result_line(tr("row total"), number(details.denominator),
                  details.sink ? tr("sum of exps, with the sink's") : tr("sum of exps")));
  ExplainLine weight = line_of_cell(cell, tr("weight"), number, {});
  if (!cell.overridden) {
    const std::string above = number(exponential), below = number(details.denominator);
    weight.before = above + " ÷ " + below + " =";
    weight.rounded = !is_rounding_of(shown_value(above) / shown_value(below), weight.result);
  }
  lines.push_back(std::move(weight));
}

void add_dropped(Lines& lines, const Explanation& cell, NumberText number) {
  const std::string kept =
      cell.factor == 1
          ? tr("kept")
          : tr("kept, times {}", {format_significant(static_cast<float>(cell.factor), 4)});
  lines.push_back(line_of_cell(cell, tr("dropped"), number,
                               cell.reasons.empty() ? kept : reason_words(cell.reasons)));
}

bool is_by_distance(Stage stage) {
  return stage == Stage::kContentToPosition || stage == Stage::kPositionToContent;
}

// "distance 1 − 4 = −3": how many tokens the query stands after the key.
std::string distance_words(const Explanation& cell) {
  const Index distance = *cell.distance;
  return tr("distance {}", {std::to_string(cell.row) + " − " + std::to_string(cell.col) + " = " +
                            (distance < 0 ? "−" : "") + std::to_string(std::abs(distance))});
}

// The products of a score by distance.
void add_by_distance(Lines& lines, const Document& document, const Explanation& cell,
                     NumberText number) {
  add_sum_of_products(lines, document, cell, name_in_words(stage_name(cell.stage)), number);
  if (!cell.overridden)
    lines.back().after =
        distance_words(cell) + (lines.back().after.empty() ? "" : ", ") + lines.back().after;
}

void add_stage(Lines& lines, const Document& document, const Explanation& cell, NumberText number) {
  switch (cell.stage) {
    case Stage::kScores:
      return add_sum_of_products(lines, document, cell, tr("score"), number);
    case Stage::kSummedScores:
      if (!is_active(document.problem, cell.stage)) return;
      lines.push_back(line_of_cell(cell, tr("summed"), number, tr("by content and by distance")));
      return check_sum(lines.back(), cell, number);
    case Stage::kScaledScores:
      lines.push_back(
          line_of_cell(cell, tr("scaled"), number, scaling_words(document.problem.config)));
      if (!cell.overridden)
        lines.back().rounded = !is_rounding_of(
            shown_value(number(cell.terms.front().a.value)) * cell.factor, lines.back().result);
      return;
    case Stage::kCappedScores:
      return add_capped(lines, document, cell, number);
    case Stage::kMaskedScores:
      return add_masked(lines, document, cell, number);
    case Stage::kWeights:
      return add_softmax(lines, cell, number);
    case Stage::kDroppedWeights:
      return add_dropped(lines, cell, number);
    default:
      if (!is_active(document.problem, cell.stage)) return;
      lines.push_back(line_of_cell(cell, name_in_words(stage_name(cell.stage)), number,
                                   cell.distance ? distance_words(cell) : ""));
  }
}

}  // namespace

// Each stage adds its line to those of the stage before.
Lines score_chain(const Document& document, const attention::Trace& trace, Stage stage, Index head,
                  Index row, Index col, NumberText number) {
  const attention::Problem& problem = document.problem;
  Lines lines;
  if (is_by_distance(stage)) {
    add_by_distance(lines, document, attention::explain(problem, trace, stage, head, row, col),
                    number);
    return lines;
  }
  for (const Stage step : attention::kAllStages) {
    if (!has_key_columns(step) || stage_shape(problem, step) == attention::Shape{}) continue;
    add_stage(lines, document, attention::explain(problem, trace, step, head, row, col), number);
    if (step == stage) break;
  }
  return lines;
}

}  // namespace lab::explain
