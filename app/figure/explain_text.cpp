#include "app/figure/explain_text.h"

#include <cmath>

#include "app/figure/direction.h"
#include "app/figure/number_text.h"

namespace lab {
namespace {

using attention::Explanation;
using attention::Index;
using attention::Stage;
using attention::Term;
using Lines = std::vector<ExplainLine>;

// Writes the results of an explanation, all with the same number of decimals.
struct NumberText {
  int decimals = 2;
  std::string operator()(double value) const {
    return format_fixed(static_cast<float>(value), decimals);
  }
};

std::string row_name(const Document& document, Stage stage, Index row) {
  const bool key_rows = stage == Stage::kK || stage == Stage::kV;
  return isolated(key_rows ? key_label(document, row) : row_label(document, row));
}

std::string column_name(const Document& document, Stage stage, Index col) {
  if (has_key_columns(stage)) return isolated(key_label(document, col));
  const bool embedding = stage == Stage::kX || stage == Stage::kOutput;
  return embedding ? dimension_label(document, col) : std::to_string(col);
}

std::string quoted(const std::string& text) { return "“" + isolated(text) + "”"; }

std::vector<float> left_operands(const std::vector<Term>& terms) {
  std::vector<float> values;
  for (const Term& term : terms)
    if (term.b) values.push_back(term.a.value);
  return values;
}

std::vector<float> right_operands(const std::vector<Term>& terms) {
  std::vector<float> values;
  for (const Term& term : terms)
    if (term.b) values.push_back(term.b->value);
  return values;
}

std::vector<float> products(const std::vector<Term>& terms) {
  std::vector<float> values;
  for (const Term& term : terms)
    if (term.b) values.push_back(static_cast<float>(term.product));
  return values;
}

// "X[it]" and "W_Q[·, 0]": the row and the column that a sum of products is made of.
std::string left_name(const Document& document, const Term& term) {
  const auto& cell = term.a.cell;
  const Stage stage = attention::stage_from_name(cell.matrix).value_or(Stage::kK);
  return cell.matrix + "[" + row_name(document, stage, cell.row) + "]";
}

std::string right_name(const Document& document, Stage of, Index col, const Term& term) {
  const std::string& matrix = term.b->cell.matrix;
  if (of == Stage::kScores) return "K[" + isolated(key_label(document, col)) + "]";
  return matrix + "[·, " + column_name(document, of, col) + "]";
}

void add_sum_of_products(Lines& lines, const Document& document, const Explanation& cell,
                         const std::string& name, NumberText number) {
  const Term& first = cell.terms.front();
  lines.push_back({left_name(document, first), left_operands(cell.terms), {}, {}, {}});
  lines.push_back(
      {right_name(document, cell.stage, cell.col, first), right_operands(cell.terms), {}, {}, {}});
  lines.push_back({"products", products(cell.terms), {}, {}, {}});
  const Term& last = cell.terms.back();
  std::string after = "sum of products";
  if (!last.b) {
    lines.push_back({last.a.cell.matrix, {}, {}, number(last.a.value), {}});
    after += ", plus bias";
  }
  lines.push_back({name, {}, {}, number(cell.value), after});
}

std::string scaling_words(const attention::Config& config) {
  std::string words;
  if (config.scale) words = "÷ √" + std::to_string(config.d_k);
  if (config.temperature != 1.0f) {
    words += (words.empty() ? "÷ " : " ÷ ") + format_significant(config.temperature, 3);
  }
  return words.empty() ? "not scaled" : words;
}

void add_masked(Lines& lines, const Document& document, const Explanation& cell,
                NumberText number) {
  if (!cell.masked_because.empty()) {
    lines.push_back({"masked", {}, {}, "−∞", cell.masked_because});
  } else if (cell.terms.size() > 1) {
    lines.push_back(
        {"masked", {}, {}, number(cell.value), "plus bias " + number(cell.terms.back().a.value)});
  } else if (document.problem.has_masked_stage()) {
    lines.push_back({"masked", {}, {}, number(cell.value), "may be attended to"});
  }
}

// `score` is what the softmax was given: too far below the row's maximum, its exponential is 0.
void add_softmax(Lines& lines, const Explanation& cell, double score, NumberText number) {
  const auto& parts = *cell.softmax;
  if (parts.denominator == 0) {
    lines.push_back({"weight", {}, {}, number(cell.value), "nothing to attend to"});
    return;
  }
  const double exponential = parts.exponentials[static_cast<std::size_t>(cell.col)];
  lines.push_back({"row max", {}, {}, number(parts.maximum), "subtracted before exp"});
  lines.push_back(
      {"exp", {}, "e^(" + number(score - parts.maximum) + ") =", number(exponential), {}});
  lines.push_back({"row total", {}, {}, number(parts.denominator), "sum of exps"});
  lines.push_back({"weight",
                   {},
                   number(exponential) + " ÷ " + number(parts.denominator) + " =",
                   number(cell.value),
                   {}});
}

// Scores to weights: each stage adds its line to those of the stage before.
Lines score_chain(const Document& document, const attention::Trace& trace, Stage stage, Index head,
                  Index row, Index col, NumberText number) {
  const auto part = [&](Stage s) {
    return attention::explain(document.problem, trace, s, head, row, col);
  };
  Lines lines;
  add_sum_of_products(lines, document, part(Stage::kScores), "score", number);
  if (stage == Stage::kScores) return lines;
  lines.push_back({"scaled",
                   {},
                   {},
                   number(part(Stage::kScaledScores).value),
                   scaling_words(document.problem.config)});
  if (stage == Stage::kScaledScores) return lines;
  const Explanation masked = part(Stage::kMaskedScores);
  add_masked(lines, document, masked, number);
  if (stage == Stage::kWeights) add_softmax(lines, part(Stage::kWeights), masked.value, number);
  return lines;
}

Lines single_operand(const Explanation& cell, NumberText number) {
  const auto& operand = cell.terms.front();
  std::string from = operand.a.cell.matrix;
  if (cell.stage == Stage::kConcat) {
    from += " of head " + std::to_string(operand.a.cell.head + 1) + ", column " +
            std::to_string(operand.a.cell.col);
  } else {
    from = "the embedding: given, not computed";
  }
  return {{std::string(stage_name(cell.stage)), {}, {}, number(cell.value), from}};
}

std::string flow(const Document& document, Stage stage, Index head, Index row, Index col) {
  const std::string query = quoted(row_label(document, row));
  const std::string in_head = " in head " + std::to_string(head + 1) + ".";
  if (stage == Stage::kWeights) {
    return "How much of " + quoted(key_label(document, col)) + " flows into " + query + in_head;
  }
  return "How well the query of " + query + " matches the key of " +
         quoted(key_label(document, col)) + in_head;
}

std::string feature_meaning(const Document& document, Stage stage, Index head, Index row,
                            Index col) {
  const std::string token = "“" + row_name(document, stage, row) + "”";
  const std::string of_head = " of head " + std::to_string(head + 1) + ".";
  switch (stage) {
    case Stage::kQ:
      return "What " + token + " looks for: query feature " + std::to_string(col) + of_head;
    case Stage::kK:
      return "What " + token + " offers: key feature " + std::to_string(col) + of_head;
    case Stage::kV:
      return "What " + token + " passes on: value feature " + std::to_string(col) + of_head;
    case Stage::kHeadOutput:
      return "What " + token + " gathered: the values, mixed by its weights.";
    case Stage::kConcat:
      return "The heads' outputs for " + token + ", side by side.";
    case Stage::kOutput:
      return "What leaves the layer for " + token + ": all heads, projected.";
    default:
      return "The embedding of " + token + ", feature " + dimension_label(document, col) + ".";
  }
}

}  // namespace

std::string cell_title(const Document& document, Stage stage, Index row, Index col) {
  return std::string(stage_name(stage)) + "[" + row_name(document, stage, row) + ", " +
         column_name(document, stage, col) + "]";
}

std::string cell_meaning(const Document& document, Stage stage, Index head, Index row, Index col) {
  return has_key_columns(stage) ? flow(document, stage, head, row, col)
                                : feature_meaning(document, stage, head, row, col);
}

Lines explain_lines(const Document& document, const attention::Trace& trace, Stage stage,
                    Index head, Index row, Index col, int decimals) {
  const NumberText number{decimals};
  if (has_key_columns(stage)) return score_chain(document, trace, stage, head, row, col, number);
  const Explanation cell = attention::explain(document.problem, trace, stage, head, row, col);
  if (stage == Stage::kX || stage == Stage::kConcat) return single_operand(cell, number);
  Lines lines;
  add_sum_of_products(lines, document, cell, std::string(stage_name(stage)), number);
  return lines;
}

}  // namespace lab
