#include "app/lessons/answers/answer.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/base/bad_input.h"
#include "app/base/names.h"
#include "app/base/strings.h"
#include "app/base/typed_number.h"
#include "app/explain/explain_copy.h"
#include "app/explain/number_text.h"
#include "app/lessons/answers/live_reference.h"
#include "app/lessons/model/model_value.h"
#include "app/lessons/reading/lesson_lines.h"
#include "app/translation/words.h"

namespace lab::lessons {
namespace {

constexpr int kDecimals = 4;  // decimals of displayed numbers
constexpr std::array<std::string_view, 4> kVerdicts{"right", "wrong", "unclear", "not checked"};

// A difference of exactly the tolerance is accepted, despite rounding errors.
bool is_near(double typed, double answer, double tolerance) {
  return std::abs(typed - answer) <= tolerance * (1 + 1e-9) + 1e-12;
}

double right_number(const Question& question, const Snapshot& live) {
  const double number = value_or_bad_input(question.answers.front().number(live));
  if (!std::isfinite(number)) throw BadInput("the answer is not a finite number");
  return number;
}

bool is_right(const Choice& choice, const Snapshot& live) {
  return choice.right_when ? value_or_bad_input(choice.right_when->truth(live)) : choice.right;
}

std::vector<std::size_t> right_choices(const Question& question, const Snapshot& live) {
  std::vector<std::size_t> right;
  for (std::size_t i = 0; i < question.choices.size(); ++i)
    if (is_right(question.choices[i], live)) right.push_back(i);
  return right;
}

std::vector<StageCell> right_cells(const Question& question, const Snapshot& live) {
  std::vector<StageCell> cells;
  const auto add = [&](const CellValue& value) {
    if (!value.cell)
      throw BadInput("the answer is a cell of a matrix that has no map, so it cannot be clicked");
    cells.push_back(*value.cell);
  };
  for (const Expression& answer : question.answers) {
    const Value value = value_or_bad_input(answer.evaluate(live));
    if (const auto* one = std::get_if<CellValue>(&value)) {
      add(*one);
    } else if (const auto* list = std::get_if<ListValue>(&value)) {
      std::ranges::for_each(list->cells, add);
    } else {
      throw BadInput("the answer is not a cell");
    }
  }
  return cells;
}

Judgement judgement_of(const Question& question, bool right, std::string message) {
  return {right ? Verdict::kRight : Verdict::kWrong, std::move(message),
          right ? question.right : question.wrong};
}

Judgement judge_number(const Question& question, const AnswerInput& input, const Snapshot& live) {
  const std::vector<double> candidates = possible_numbers(input.typed);
  if (candidates.empty())
    return {Verdict::kUnclear,
            tr("Type a number, such as {} or {}.", {plain_number(0.52, 2), plain_number(-3, 0)}),
            {}};
  const double answer = right_number(question, live);
  const double tolerance = tolerance_of(question, answer);
  const auto one_is_near = [&](double expected) {
    return std::ranges::any_of(candidates,
                               [&](double n) { return is_near(n, expected, tolerance); });
  };
  if (one_is_near(answer))
    return judgement_of(question, true, tr("Right: {}.", {plain_number(answer, kDecimals)}));
  const bool sign = one_is_near(-answer);
  return judgement_of(question, false, sign ? tr("Not yet: look at the sign.") : tr("Not yet."));
}

Judgement judge_name(const Question& question, const AnswerInput& input, const Snapshot& live) {
  if (trimmed(input.typed).empty())
    return {Verdict::kUnclear, tr("Type the name of a token or of a head."), {}};
  const std::vector<std::string> names = right_names(question, live);
  const auto found = std::ranges::find_if(
      names, [&](const std::string& name) { return means_name(input.typed, name); });
  if (found == names.end()) return judgement_of(question, false, tr("Not yet."));
  return judgement_of(question, true, tr("Right: {}.", {*found}));
}

Judgement judge_choice(const Question& question, const AnswerInput& input, const Snapshot& live) {
  if (input.chosen.empty()) return {Verdict::kUnclear, tr("Choose an answer."), {}};
  const std::vector<std::size_t> right = right_choices(question, live);
  const bool all = input.chosen == right;
  const bool some = right.size() > 1 && std::ranges::includes(right, input.chosen);
  Judgement judgement = judgement_of(question, all,
                                     all    ? tr("Right.")
                                     : some ? tr("That is right, but not complete.")
                                            : tr("Not yet."));
  if (input.chosen.size() == 1) {
    const RichText& because = question.choices.at(input.chosen.front()).because;
    if (!because.empty()) judgement.feedback = because;
  }
  return judgement;
}

// The head whose map the answer is in, if the window shows another layer of a model now.
std::string head_elsewhere(const Question& question, const Snapshot& live) {
  const Value value = value_or_bad_input(question.answers.front().evaluate(live));
  const auto* cell = std::get_if<CellValue>(&value);
  const bool elsewhere = cell && cell->layer && *cell->layer != live.document.layer.at;
  return elsewhere ? cell->head : std::string();
}

Judgement judge_cell(const Question& question, const AnswerInput& input, const Snapshot& live) {
  if (!input.clicked) return {Verdict::kUnclear, tr("Click a cell of the map."), {}};
  const auto cells = right_cells(question, live);
  const bool hit = std::ranges::find(cells, *input.clicked) != cells.end();
  if (hit && head_elsewhere(question, live).empty())
    return judgement_of(question, true, tr("Right: that is the cell."));
  const StageCell& right = cells.front();
  const std::string map(stage_name(right.stage));
  if (const std::string elsewhere = head_elsewhere(question, live); !elsewhere.empty())
    return judgement_of(question, false, tr("Not yet: look at head {}.", {elsewhere}));
  if (input.clicked->stage != right.stage)
    return judgement_of(question, false, tr("Not yet: look at the map of {}.", {map}));
  if (input.clicked->head != right.head)
    return judgement_of(question, false,
                        tr("Not yet: look at head {}.", {head_number(live.document, right.head)}));
  return judgement_of(question, false, tr("Not yet."));
}

// If the condition is false, shows the current numbers in it; conditions on switches have none.
Judgement judge_make(const Question& question, const Snapshot& live) {
  if (value_or_bad_input(question.until->truth(live)))
    return judgement_of(question, true, tr("Done."));
  // Gains say nothing to a student, and would name the head that is looked for.
  const auto is_gain = [](const std::string& number) {
    return number.starts_with("gain[") || number.starts_with(quantity_title("gain") + "[");
  };
  std::string now;
  for (const std::string& number :
       value_or_bad_input(question.until->named_numbers(live, kDecimals, true)))
    if (!is_gain(number)) now += (now.empty() ? "" : "; ") + number;
  return {Verdict::kUnclear, now.empty() ? tr("Not there yet.") : tr("Not there yet: {}.", {now}),
          question.wrong};
}

Judgement judged(const Question& question, const AnswerInput& input, const Snapshot& live) {
  switch (question.type) {
    case QuestionType::kNumber:
      return judge_number(question, input, live);
    case QuestionType::kName:
      return judge_name(question, input, live);
    case QuestionType::kChoice:
      return judge_choice(question, input, live);
    case QuestionType::kCell:
      return judge_cell(question, input, live);
    case QuestionType::kMake:
      return judge_make(question, live);
    case QuestionType::kText:
      break;
  }
  if (input.typed.find_first_not_of(" \t\n") == input.typed.npos)
    return {Verdict::kUnclear, tr("Write what you think."), {}};
  return {Verdict::kUnchecked, tr("Noted."), question.right};
}

AnswerInput right_of(const Question& question, const Snapshot& live) {
  switch (question.type) {
    case QuestionType::kNumber:
      return {{}, plain_number(right_number(question, live), 9), {}};
    case QuestionType::kName:
      return {{}, right_names(question, live).front(), {}};
    case QuestionType::kChoice: {
      const auto right = right_choices(question, live);
      if (right.empty()) throw BadInput("no choice is right");
      return {right, {}, {}};
    }
    case QuestionType::kCell:
      return {{}, {}, right_cells(question, live).front()};
    case QuestionType::kText:
      return {{}, "words", {}};
    case QuestionType::kMake:
      break;
  }
  return {};
}

std::vector<AnswerInput> wrong_of(const Question& question, const Snapshot& live) {
  std::vector<AnswerInput> wrong;
  if (question.type == QuestionType::kNumber) {
    const double answer = right_number(question, live);
    const double off = 3 * tolerance_of(question, answer) + 0.01;
    wrong = {{{}, plain_number(answer + off, 6), {}}, {{}, plain_number(answer - off, 6), {}}};
  } else if (question.type == QuestionType::kName) {
    wrong = {{{}, right_names(question, live).front() + "?", {}}};
  } else if (question.type == QuestionType::kChoice) {
    const auto right = right_choices(question, live);
    for (std::size_t i = 0; i < question.choices.size(); ++i)
      if (std::ranges::find(right, i) == right.end()) wrong.push_back({{i}, {}, {}});
    if (wrong.empty()) throw BadInput("every choice is right");
  } else if (question.type == QuestionType::kCell) {
    const auto right = right_cells(question, live);
    StageCell other = right.front();
    const attention::Shape shape = stage_shape(live.document.problem, other.stage);
    for (other.row = 0; other.row < shape.rows && wrong.empty(); ++other.row)
      for (other.col = 0; other.col < shape.cols && wrong.empty(); ++other.col)
        if (std::ranges::find(right, other) == right.end()) wrong.push_back({{}, {}, other});
    if (wrong.empty()) throw BadInput("every cell is right");
  }
  return wrong;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    if (end > start) lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

std::vector<std::string> arithmetic_of_cell(const StageCell& cell, const Snapshot& live) {
  const auto& [stage, head, row, col] = cell;
  const auto& values = stage_matrix(live.document.problem, live.trace, stage, head);
  auto lines = explain::explain_lines(live.document, live.trace, stage, head, row, col,
                                      {.least = kDecimals});
  return lines_of(explain::explanation_text(
      {explain::cell_title(live.document, stage, row, col),
       explain::number_in(lines.front(), (*values)(row, col)),
       explain::cell_meaning(live.document, stage, head, row, col), std::move(lines)}));
}

// What a model says is not computed by hand: its numbers, and what is done with them.
std::vector<std::string> arithmetic_in_model(const Expression& expression, const Snapshot& live) {
  std::vector<std::string> lines =
      value_or_bad_input(expression.named_numbers(live, kDecimals, true));
  const auto number = number_of(value_or_bad_input(expression.evaluate(live)));
  const std::string calculation = value_or_bad_input(expression.with_numbers(live, kDecimals));
  if (number && calculation != plain_number(*number, kDecimals))
    lines.push_back(calculation + " = " + plain_number(*number, kDecimals));
  return lines;
}

std::vector<std::string> arithmetic_of_expression(const Expression& expression,
                                                  const Snapshot& live) {
  const Value value = value_or_bad_input(expression.evaluate(live));
  if (const auto* cell = std::get_if<CellValue>(&value); cell && cell->cell)
    return arithmetic_of_cell(*cell->cell, layer_of(*cell, live));
  if (live.document.layer.model) return arithmetic_in_model(expression, live);
  const std::string calculation = value_or_bad_input(expression.with_numbers(live, kDecimals));
  if (const auto number = number_of(value))
    return {calculation + " = " + plain_number(*number, kDecimals)};
  std::vector<std::string> lines = value_or_bad_input(expression.named_numbers(live, kDecimals));
  lines.push_back(calculation);
  return lines;
}

// Conditions on switches have nothing to compute.
std::vector<std::string> arithmetic_of_condition(const Expression& until, const Snapshot& live) {
  std::vector<std::string> lines = value_or_bad_input(until.named_numbers(live, kDecimals));
  if (!lines.empty()) lines.push_back(tr("requested: {}", {until.text()}));
  return lines;
}

constexpr std::array<std::string_view, 8> kQuotes{"\"", "'", "“", "”", "„", "‘", "’", "*"};

std::string plain_name(std::string_view text) {
  text = trimmed(text);
  for (const std::string_view quote : kQuotes) {
    if (text.size() > quote.size() && text.starts_with(quote)) text.remove_prefix(quote.size());
    if (text.size() > quote.size() && text.ends_with(quote)) text.remove_suffix(quote.size());
  }
  return lower_ascii(without_blank(std::string(trimmed(text))));
}

}  // namespace

std::string_view verdict_name(Verdict verdict) { return name_of_id(kVerdicts, verdict); }

std::optional<Verdict> verdict_from_name(std::string_view name) {
  return id_from_name<Verdict>(kVerdicts, name);
}

double tolerance_of(const Question& question, double answer) {
  return question.tolerance.value_or(std::max(0.005, 0.005 * std::abs(answer)));
}

Expected<Judgement> judge(const Question& question, const AnswerInput& input,
                          const Snapshot& live) {
  return guarded([&] { return judged(question, input, live); });
}

Expected<AnswerInput> right_answer(const Question& question, const Snapshot& live) {
  return guarded([&] { return right_of(question, live); });
}

Expected<std::vector<AnswerInput>> wrong_answers(const Question& question, const Snapshot& live) {
  return guarded([&] { return wrong_of(question, live); });
}

Expected<std::vector<std::string>> arithmetic_of(const Question& question, const Snapshot& live) {
  return guarded([&]() -> std::vector<std::string> {
    if (question.type == QuestionType::kName) return {};
    if (question.until) return arithmetic_of_condition(*question.until, live);
    if (!question.answers.empty()) return arithmetic_of_expression(question.answers[0], live);
    for (const Choice& choice : question.choices)
      if (choice.right_when && is_right(choice, live))
        return arithmetic_of_expression(*choice.right_when, live);
    return {};
  });
}

std::vector<std::string> right_names(const Question& question, const Snapshot& live) {
  std::vector<std::string> names;
  for (const Expression& answer : question.answers) {
    const Value value = value_or_bad_input(answer.evaluate(live));
    const auto* name = std::get_if<std::string>(&value);
    if (!name) throw BadInput("the answer is not a name, such as likeliest[last]");
    names.push_back(*name);
  }
  return names;
}

bool means_name(std::string_view typed, std::string_view name) {
  return plain_name(typed) == plain_name(name);
}

std::string answer_number(const Question& question, double value) {
  constexpr int kLeast = 4, kMost = 12;
  const double apart = tolerance_of(question, value) / 2;
  int decimals = kLeast;
  for (double step = 1e-4; step > apart && decimals < kMost; step /= 10) ++decimals;
  return plain_number(value, decimals);
}

}  // namespace lab::lessons
