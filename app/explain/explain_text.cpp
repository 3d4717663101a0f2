#include "app/explain/explain_text.h"

#include <algorithm>
#include <cmath>

#include "app/base/text_direction.h"
#include "app/base/wording.h"
#include "app/explain/explain_parts.h"
#include "app/explain/number_text.h"
#include "app/translation/words.h"

namespace lab::explain {
namespace {

using attention::Explanation;
using attention::Index;
using attention::Operand;
using attention::Stage;
using attention::Term;

std::string stage_in_text(const Explanation& cell) { return name_in_words(stage_name(cell.stage)); }

// The first factors of all products, or the second ones.
ExplainLine factors_line(std::string name, const std::vector<Term>& terms, bool second) {
  ExplainLine line{.name = std::move(name)};
  for (const Term& term : terms) {
    if (!term.b) continue;
    const Operand& factor = second ? *term.b : term.a;
    line.values.push_back(factor.value);
    line.cells.push_back(factor.cell);
  }
  return line;
}

ExplainLine products_line(const std::vector<Term>& terms) {
  ExplainLine line{.name = tr("products"), .products = true};
  for (const Term& term : terms)
    if (term.b) line.values.push_back(static_cast<float>(term.product));
  return line;
}

ExplainLine calculation(std::string name, std::string before, std::string result,
                        std::string after = {}) {
  ExplainLine line = result_line(std::move(name), std::move(result), std::move(after));
  line.before = std::move(before);
  return line;
}

// A key or query of a distance.
bool is_of_distances(std::string_view matrix) { return matrix == "P_K" || matrix == "P_Q"; }

// "X[it]" and "W_Q[·, 0]": the row and the column that a sum of products is made of.
std::string left_name(const Document& document, const Term& term) {
  const auto& cell = term.a.cell;
  if (is_of_distances(cell.matrix)) return name_in_words(cell.matrix);
  const Stage stage = attention::stage_from_name(cell.matrix).value_or(Stage::kK);
  return name_in_words(cell.matrix) + "[" + isolated(row_label(document, stage, cell.row)) + "]";
}

std::string right_name(const Document& document, Stage of, Index col, const Term& term) {
  std::string matrix = name_in_words(term.b->cell.matrix);
  if (is_of_distances(term.b->cell.matrix)) return matrix;
  if (has_key_columns(of)) return matrix + "[" + isolated(key_label(document, col)) + "]";
  return matrix + "[·, " + column_label(document, of, col) + "]";
}

// "7 ÷ 10000^(2/8) =": the angle of a sinusoidal position.
void add_sinusoid(Lines& lines, const Document& document, const Explanation& cell,
                  NumberText number) {
  const Index d_model = document.problem.config.d_model, even = cell.col / 2 * 2;
  lines.push_back(calculation(tr("angle"),
                              std::to_string(cell.row) + " ÷ 10000^(" + std::to_string(even) + "/" +
                                  std::to_string(d_model) + ") =",
                              number(cell.angle), tr("radians, by position and feature")));
  lines.push_back(line_of_cell(cell, stage_in_text(cell), number,
                               cell.col % 2 == 0 ? tr("sin(angle)") : tr("cos(angle)")));
}

// "7 · 10000^(−2/4) =": the angle that a rotary position turns a pair by.
void add_rotation(Lines& lines, const Document& document, const Explanation& cell,
                  NumberText number) {
  const auto& config = document.problem.config;
  const Index pair = cell.terms.front().b->cell.col;
  const attention::SharedMatrix& table = document.problem.rotary_frequencies;
  const std::string frequency = table.empty() ? format_significant(config.rotary_base, 6) + "^(−" +
                                                    std::to_string(2 * pair) + "/" +
                                                    std::to_string(config.d_k) + ")"
                                              : format_significant((*table)(0, pair), 6);
  lines.push_back(calculation(
      tr("angle"), std::to_string(cell.row) + " · " + frequency + " =", number(cell.angle),
      tr("radians, position {}, pair {}", {std::to_string(cell.row), std::to_string(pair)})));
  const Operand &a = cell.terms[0].a, &b = cell.terms[1].a;
  const std::string before =
      name_in_words(a.cell.matrix) + "[" + row_label(document, cell.stage, cell.row) + ", " +
      tr("{} and {}", {std::to_string(a.cell.col), std::to_string(b.cell.col)}) + "]";
  lines.push_back(factors_line(before, cell.terms, false));
  const bool cosine_first = cell.terms[0].b->cell.matrix == "cos";
  const std::string scale =
      config.rotary_scale == 1 ? "" : " · " + format_significant(config.rotary_scale, 6);
  lines.push_back(factors_line(
      cosine_first ? "cos" + scale + ", −sin" + scale : "sin" + scale + ", cos" + scale, cell.terms,
      true));
  lines.push_back(products_line(cell.terms));
  lines.push_back(line_of_cell(cell, stage_in_text(cell), number, tr("sum of products")));
  check_sum(lines.back(), cell, number);
}

void add_layer_norm(Lines& lines, const attention::Parameters& parameters, const Explanation& cell,
                    NumberText number) {
  const auto& details = *cell.layer_norm;
  const Operand& x = cell.terms.front().a;
  lines.push_back(operand_line(x, number, tr("to be normalised")));
  lines.push_back(result_line(tr("mean"), number(details.mean), tr("of the row")));
  lines.push_back(
      result_line(tr("variance"), number(details.variance), tr("mean square distance from it")));
  lines.push_back(calculation(
      tr("normalised"),
      "(" + number(x.value) + " − " + number(details.mean) + ") ÷ √(" + number(details.variance) +
          " + " + format_significant(static_cast<float>(details.epsilon), 2) + ") =",
      number(details.normalised)));
  lines.back().rounded =
      !is_rounding_of((shown_value(number(x.value)) - shown_value(number(details.mean))) /
                          std::sqrt(shown_value(number(details.variance)) + details.epsilon),
                      lines.back().result);
  const std::string gamma = "gamma " + number(details.gamma), beta = "beta " + number(details.beta);
  lines.push_back(
      line_of_cell(cell, stage_in_text(cell), number, tr("times {}, plus {}", {gamma, beta})));
  if (!cell.overridden)
    lines.back().rounded = !is_rounding_of(
        shown_value(number(details.normalised)) * shown_value(number(details.gamma)) +
            shown_value(number(details.beta)),
        lines.back().result);
  if (!parameters.gamma.empty()) mention(lines.back(), gamma, {"gamma", 0, 0, cell.col});
  if (!parameters.beta.empty()) mention(lines.back(), beta, {"beta", 0, 0, cell.col});
}

// "1.20 ÷ √(0.84 + 1e-6) =", times the factor of the feature.
void add_head_norm(Lines& lines, const attention::Config& config, const Explanation& cell,
                   NumberText number) {
  const auto& details = *cell.head_norm;
  const Operand& x = cell.terms.front().a;
  lines.push_back(operand_line(x, number, tr("to be normalised")));
  lines.push_back(result_line(tr("mean square"), number(details.mean_square),
                              config.head_norm_joint && cell.stage != Stage::kNormedV
                                  ? tr("of the row in all heads")
                                  : tr("of the row")));
  lines.push_back(calculation(tr("normalised"),
                              number(x.value) + " ÷ √(" + number(details.mean_square) + " + " +
                                  format_significant(static_cast<float>(details.epsilon), 2) +
                                  ") =",
                              number(details.normalised)));
  lines.back().rounded =
      !is_rounding_of(shown_value(number(x.value)) /
                          std::sqrt(shown_value(number(details.mean_square)) + details.epsilon),
                      lines.back().result);
  if (cell.stage == Stage::kNormedV)
    return lines.push_back(line_of_cell(cell, stage_in_text(cell), number, ""));
  const char* const name = cell.stage == Stage::kNormedQ ? "norm_Q" : "norm_K";
  const std::string factor = std::string(name) + " " + number(details.weight);
  lines.push_back(line_of_cell(cell, stage_in_text(cell), number, tr("times {}", {factor})));
  if (!cell.overridden)
    lines.back().rounded = !is_rounding_of(
        shown_value(number(details.normalised)) * shown_value(number(details.weight)),
        lines.back().result);
  mention(lines.back(), factor, {name, 0, 0, details.weight_col});
}

// Where the only operand of a cell comes from.
std::string origin(const Document& document, const Explanation& cell) {
  std::string given = tr("the embedding: given, not computed");
  if (cell.terms.empty()) return given;
  const auto& from = cell.terms.front().a.cell;
  const std::string name = name_in_words(from.matrix);
  if (cell.stage == Stage::kConcat)
    return tr("{} of head {}, column {}",
              {name, head_number(document, from.head), std::to_string(from.col)});
  const auto stage = attention::stage_from_name(from.matrix);
  if (!stage) return tr("row {} of {}", {std::to_string(from.row), name});
  return is_input(*stage) ? given : tr("the same as {}", {name});
}

// A head's part of concat, times its gain.
std::string gain_words(const Explanation& cell, NumberText number) {
  const auto& [a, gain, product, sum] = cell.terms.front();
  if (!cell.reasons.empty()) return reason_words(cell.reasons);
  if (!gain) return {};
  return tr("{} times gain {}", {number(a.value), format_significant(gain->value, 4)});
}

void add_concat(Lines& lines, const Document& document, const Explanation& cell,
                NumberText number) {
  const std::string from = origin(document, cell), gain = gain_words(cell, number);
  const std::string words = gain.empty() ? from : from + ": " + gain;
  lines.push_back(line_of_cell(cell, stage_in_text(cell), number, words));
  mention(lines.back(), from, cell.terms.front().a.cell);
}

// One operand alone, or several added up.
void add_operands(Lines& lines, const Document& document, const Explanation& cell,
                  NumberText number) {
  if (cell.terms.size() < 2) {
    const std::string from = origin(document, cell);
    lines.push_back(line_of_cell(cell, stage_in_text(cell), number, from));
    if (!cell.terms.empty()) mention(lines.back(), from, cell.terms.front().a.cell);
    return;
  }
  for (const Term& term : cell.terms) lines.push_back(operand_line(term.a, number));
  lines.push_back(line_of_cell(cell, stage_in_text(cell), number, tr("sum of both")));
  check_sum(lines.back(), cell, number);
}

void add_cell(Lines& lines, const Document& document, const Explanation& cell, NumberText number) {
  const auto positions = document.problem.config.positions;
  const bool position = cell.stage == Stage::kPosition || cell.stage == Stage::kPositionKv;
  if (position && positions == attention::Positions::kSinusoidal) {
    return add_sinusoid(lines, document, cell, number);
  }
  if (cell.stage == Stage::kConcat) return add_concat(lines, document, cell, number);
  if (cell.layer_norm) {
    return add_layer_norm(lines, document.problem.parameters, cell, number);
  }
  if (cell.head_norm) return add_head_norm(lines, document.problem.config, cell, number);
  const bool has_products = !cell.terms.empty() && cell.terms.front().b;
  if (!has_products) return add_operands(lines, document, cell, number);
  const bool rotated = cell.stage == Stage::kRotatedQ || cell.stage == Stage::kRotatedK;
  if (rotated) return add_rotation(lines, document, cell, number);
  add_sum_of_products(lines, document, cell, stage_in_text(cell), number);
}

using attention::Reason;
using attention::ReasonType;

std::string words_of(const Reason& reason) {
  const std::string query = std::to_string(reason.query), key = std::to_string(reason.key);
  const std::string head = std::to_string(reason.head + 1), limit = std::to_string(reason.limit);
  switch (reason.type) {
    case ReasonType::kCausal:
      return tr("causal mask: key {} comes after query {}", {key, query});
    case ReasonType::kPadding:
      return tr("padding: key {} is none of the first {}", {key, limit});
    case ReasonType::kWindow:
      return tr("window: key {} is {} away from query {}, it must be less than {}",
                {key, std::to_string(reason.distance), query, limit});
    case ReasonType::kForbidden:
      return tr("the mask forbids query {} from attending to key {}", {query, key});
    case ReasonType::kDropped:
      return tr("dropout takes the weight of query {} and key {} in head {}", {query, key, head});
    case ReasonType::kMuted:
      return tr("head {} is muted", {head});
    case ReasonType::kOthersSolo:
      return tr("head {} is silent while others are solo", {head});
    case ReasonType::kScaledByZero:
      return tr("head {} is scaled by 0", {head});
  }
  return {};
}

}  // namespace

std::string NumberText::operator()(double value) const {
  return exact_text(static_cast<float>(value), least, decimals);
}

std::string number_in(const ExplainLine& line, float value) {
  return exact_text(value, line.least_decimals, line.decimals);
}

ExplainLine result_line(std::string name, std::string result, std::string after) {
  return {.name = std::move(name), .result = std::move(result), .after = std::move(after)};
}

ExplainLine operand_line(const Operand& operand, NumberText number, std::string after) {
  ExplainLine line =
      result_line(name_in_words(operand.cell.matrix), number(operand.value), std::move(after));
  line.source = operand.cell;
  return line;
}

void mention(ExplainLine& line, std::string text, const attention::CellRef& cell) {
  if (line.after.find(text) != std::string::npos) line.mentions.push_back({std::move(text), cell});
}

ExplainLine line_of_cell(const Explanation& cell, std::string name, NumberText number,
                         std::string after) {
  if (cell.overridden) after = tr("put there by hand, computed {}", {number(cell.recomputed)});
  ExplainLine line = result_line(std::move(name), number(cell.value), std::move(after));
  line.source = {stage_name(cell.stage), cell.head, cell.row, cell.col};
  return line;
}

void add_sum_of_products(Lines& lines, const Document& document, const Explanation& cell,
                         const std::string& name, NumberText number) {
  const Term& first = cell.terms.front();
  lines.push_back(factors_line(left_name(document, first), cell.terms, false));
  lines.push_back(
      factors_line(right_name(document, cell.stage, cell.col, first), cell.terms, true));
  lines.push_back(products_line(cell.terms));
  const Term& last = cell.terms.back();
  if (!last.b) lines.push_back(operand_line(last.a, number));
  lines.push_back(line_of_cell(cell, name, number,
                               last.b ? tr("sum of products") : tr("sum of products, plus bias")));
  check_sum(lines.back(), cell, number);
}

namespace {

// The digits after the decimal mark; none where there is an exponent.
int decimals_of(const std::string& number) {
  const std::size_t mark = number.find_first_of(".,");
  if (mark == std::string::npos || number.find('e') != std::string::npos) return 0;
  return static_cast<int>(number.size() - mark) - 1;
}

// Numbers side by side have as many decimals as the one that needs most.
void set_decimals(ExplainLine& line, int least, int most) {
  line.decimals = most, line.least_decimals = least;
  for (const float value : line.values)
    line.least_decimals =
        std::max(line.least_decimals, decimals_of(exact_text(value, least, most)));
}

}  // namespace

Lines explain_lines(const Document& document, const attention::Trace& trace, Stage stage,
                    Index head, Index row, Index col, Decimals decimals) {
  const int fewest_exact = std::min(decimals.least, decimals.exact);
  const auto lines_with = [&](int places) {
    const NumberText number{places, fewest_exact};
    Lines lines;
    if (has_key_columns(stage)) {
      lines = score_chain(document, trace, stage, head, row, col, number);
    } else {
      const auto cell = attention::explain(document.problem, trace, stage, head, row, col);
      add_cell(lines, document, cell, number);
    }
    for (ExplainLine& line : lines) set_decimals(line, fewest_exact, places);
    return lines;
  };
  Lines fewest = lines_with(decimals.least);
  if (are_right(fewest)) return fewest;
  for (int places = decimals.least + 1; places <= decimals.most; ++places)
    if (Lines lines = lines_with(places); are_right(lines)) return lines;
  for (ExplainLine& line : fewest)
    if (line.rounded)
      line.after = line.after.empty() ? tr("rounded") : tr("{}, rounded", {line.after});
  return fewest;
}

std::string reason_words(const std::vector<Reason>& reasons) {
  std::string words;
  for (const Reason& reason : reasons) words += (words.empty() ? "" : "; ") + words_of(reason);
  return words;
}

}  // namespace lab::explain
