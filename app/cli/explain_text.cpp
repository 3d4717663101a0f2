#include <cmath>
#include <span>

#include "app/cli/arguments.h"
#include "app/cli/explanation.h"
#include "app/cli/text.h"

namespace lab {

namespace {

using attention::Explanation;
using attention::Stage;
using attention::Term;

// More products than this are written below each other.
constexpr std::size_t kMostSideBySide = 8;

std::span<const Term> products_of(const Explanation& step) {
  const std::span<const Term> terms = step.terms;
  const bool has_bias = terms.size() > 1 && !terms.back().b;
  return terms.first(terms.size() - (has_bias ? 1 : 0));
}

std::string left_name(const CellStory& story, const Explanation& step) {
  return step.terms.front().a.cell.matrix + "[" + story.row + "]";
}

// Rows of K are keys; of every other right-hand factor a column is taken.
std::string right_name(const CellStory& story, const Explanation& step) {
  const std::string& matrix = step.terms.front().b->cell.matrix;
  return matrix + (matrix == "K" ? "[" : "[·, ") + story.column + "]";
}

std::string result_name(Stage stage) {
  switch (stage) {
    case Stage::kScores:
      return "score";
    case Stage::kScaledScores:
      return "scaled";
    case Stage::kMaskedScores:
      return "masked";
    case Stage::kWeights:
      return "weight";
    default:
      return std::string(attention::stage_name(stage));
  }
}

template <typename Number>
std::vector<std::string> number_line(const std::string& name, std::span<const Term> terms,
                                     const Number& number) {
  std::vector<std::string> cells = {name, "="};
  for (const Term& term : terms) cells.push_back(number_text(number(term)));
  return cells;
}

void add_result(TextTable& table, const Explanation& step, const std::string& note) {
  table.add({result_name(step.stage), "=", number_text(step.value)}, note);
}

bool are_names(const std::vector<std::string>& labels) {
  return !labels.empty() && labels.front() != "0";
}

void add_side_by_side(TextTable& table, const CellStory& story, const Explanation& step) {
  const auto products = products_of(step);
  if (are_names(story.term_labels)) {
    std::vector<std::string> head = {"", ""};
    head.insert(head.end(), story.term_labels.begin(), story.term_labels.end());
    table.add(std::move(head));
  }
  table.add(number_line(left_name(story, step), products, [](const Term& t) { return t.a.value; }));
  table.add(
      number_line(right_name(story, step), products, [](const Term& t) { return t.b->value; }));
  table.add(number_line("products", products, [](const Term& t) { return t.product; }));
}

// The products as a table of their own, with the sum so far.
std::string below_each_other(const CellStory& story, const Explanation& step) {
  TextTable table({Side::kLeft, Side::kRight});
  table.add({"", left_name(story, step), right_name(story, step), "product", "sum so far"});
  const auto products = products_of(step);
  for (std::size_t i = 0; i < products.size(); ++i) {
    const Term& term = products[i];
    table.add({story.term_labels[i], number_text(term.a.value), number_text(term.b->value),
               number_text(term.product), number_text(term.running_sum)});
  }
  return table.text() + "\n";
}

// Q … V, scores, head_output, output: a sum of products and perhaps a bias.
std::string sum_text(TextTable& table, const CellStory& story, const Explanation& step) {
  std::string before;
  const auto products = products_of(step);
  if (products.size() > kMostSideBySide) {
    before = below_each_other(story, step);
  } else {
    add_side_by_side(table, story, step);
  }
  const bool has_bias = products.size() < step.terms.size();
  if (has_bias) {
    const attention::Operand& bias = step.terms.back().a;
    table.add({bias.cell.matrix + "[" + story.column + "]", "=", number_text(bias.value)});
  }
  add_result(table, step, has_bias ? "sum of the products, plus the bias" : "sum of the products");
  return before;
}

void add_scaled(TextTable& table, const CellStory& story, const Explanation& step) {
  const std::string score = number_text(step.terms.front().a.value);
  const std::string root = "√" + std::to_string(story.d_k);
  const std::string temperature = number_text(story.temperature);
  const bool heated = story.temperature != 1;
  std::string divisor = story.scale ? root : temperature;
  if (story.scale && heated) divisor = "(" + root + " · " + temperature + ")";
  const bool divided = story.scale || heated;
  add_result(table, step, divided ? score + " ÷ " + divisor : "the score, not divided by √d_k");
}

void add_masked(TextTable& table, const Explanation& step) {
  if (!step.masked_because.empty()) return add_result(table, step, step.masked_because);
  if (step.terms.size() == 1) return add_result(table, step, "as scaled: the mask allows it");
  const double bias = step.terms.back().a.value;
  table.add({"bias", "=", number_text(bias)});
  add_result(table, step, number_text(step.terms.front().a.value) + " + " + number_text(bias));
}

void add_weight(TextTable& table, const CellStory& story, const Explanation& step) {
  const attention::SoftmaxParts& softmax = *step.softmax;
  const std::string maximum = number_text(softmax.maximum);
  const double exponential = softmax.exponentials[step.col];
  table.add({"maximum", "=", maximum}, "largest of row " + in_quotes(story.row));
  table.add({"exp", "=", number_text(exponential)},
            "e^(" + number_text(step.terms.front().a.value) + " − " + maximum + ")");
  table.add({"row total", "=", number_text(softmax.denominator)},
            "sum of the row's " + std::to_string(softmax.exponentials.size()) + " exponentials");
  add_result(table, step,
             softmax.denominator == 0
                 ? "there is nothing the row may attend to"
                 : number_text(exponential) + " ÷ " + number_text(softmax.denominator));
}

// Adds the step to the table; returns what has to stand before the table.
std::string add_step(TextTable& table, const CellStory& story, const Explanation& step) {
  switch (step.stage) {
    case Stage::kX:
      add_result(table, step, "an input");
      return {};
    case Stage::kConcat: {
      const attention::CellRef& source = step.terms.front().a.cell;
      add_result(table, step,
                 "column " + std::to_string(source.col) + " of head_output of head " +
                     std::to_string(source.head + 1));
      return {};
    }
    case Stage::kScaledScores:
      add_scaled(table, story, step);
      return {};
    case Stage::kMaskedScores:
      add_masked(table, step);
      return {};
    case Stage::kWeights:
      add_weight(table, story, step);
      return {};
    default:
      return sum_text(table, story, step);
  }
}

// What the number means, in words.
std::string meaning(const CellStory& story) {
  const std::string row = in_quotes(story.row);
  const std::string column = in_quotes(story.column);
  const std::string head = "head " + std::to_string(story.cell().head + 1);
  switch (story.cell().stage) {
    case Stage::kX:
      return "Component " + column + " of the embedding of " + row + ".";
    case Stage::kQ:
      return "Component " + column + " of the query of " + row + " in " + head + ".";
    case Stage::kK:
      return "Component " + column + " of the key of " + row + " in " + head + ".";
    case Stage::kV:
      return "Component " + column + " of the value of " + row + " in " + head + ".";
    case Stage::kScores:
      return "How well the query of " + row + " fits the key of " + column + " in " + head + ".";
    case Stage::kScaledScores:
      return "The score of " + row + " looking at " + column + " in " + head + ", scaled.";
    case Stage::kMaskedScores:
      return "The score of " + row + " looking at " + column + " in " + head +
             ", after mask and bias.";
    case Stage::kWeights:
      return "How much of " + column + " flows into " + row + " in " + head + ".";
    case Stage::kHeadOutput:
      return "Component " + column + " of what " + head + " gathers for " + row + ".";
    case Stage::kConcat:
      return "Column " + column + " of all heads side by side, for " + row + ".";
    case Stage::kOutput:
      return "Component " + column + " of the output for " + row + ".";
  }
  return {};
}

}  // namespace

std::string story_text(const CellStory& story) {
  const std::string name(attention::stage_name(story.cell().stage));
  std::string text = name + "[" + story.row + ", " + story.column +
                     "] = " + number_text(story.cell().value) + "\n" + meaning(story) + "\n\n";
  TextTable table({Side::kLeft, Side::kLeft, Side::kRight});
  for (const Explanation& step : story.steps) text += add_step(table, story, step);
  return text + table.text();
}

}  // namespace lab
