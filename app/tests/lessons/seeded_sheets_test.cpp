// Worksheets ask for what has to be computed, and accept what is computed from what they print.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/base/typed_number.h"
#include "app/files/open.h"
#include "app/lessons/answers/answer.h"
#include "app/lessons/answers/asked_cells.h"
#include "app/lessons/model/live_evaluator.h"
#include "app/lessons/paper/paper_plan.h"
#include "app/lessons/paper/paper_tables.h"
#include "app/lessons/paper/random_numbers.h"
#include "app/lessons/paper/worksheet.h"
#include "app/lessons/reading/lesson_library.h"
#include "app/tests/every_lesson.h"
#include "app/tests/lessons/support.h"
#include "app/tests/rooms.h"
#include "core/layer/evaluator.h"

namespace lab::samples {
namespace {

using attention::Stage;

constexpr std::uint64_t kSeeds = 200;

// A lesson that allows other numbers, and its sheets.
class SheetsOf {
 public:
  explicit SheetsOf(const std::string& lesson)
      : opened_(open_lesson(lesson).value()), plan_(opened_.reading.lesson, opened_.folder) {}

  // The state with questions; these lessons have one.
  const PaperState& state() const { return plan_.states().back(); }
  Snapshot own() { return live(state().document); }
  Snapshot sheet(std::uint64_t seed) {
    return live(with_random_numbers(state().document, seed, state().questions).value());
  }
  std::vector<Figure> key(std::uint64_t seed) const {
    return lesson_worksheet(opened_.reading.lesson, opened_.folder, {.answers = true, .seed = seed})
        .value();
  }

 private:
  Snapshot live(const Document& document) {
    return {document, evaluator_.evaluate(document.problem)};
  }

  OpenedLesson opened_;
  PaperPlan plan_;
  attention::Evaluator evaluator_;
};

class SeededSheet : public ::testing::TestWithParam<std::string> {
 protected:
  SheetsOf sheets{assets_folder() + "/lessons/" + GetParam()};
};

std::vector<double> numbers_in(const PaperTable& table) {
  std::vector<double> numbers;
  for (const auto& row : table.cells)
    for (const std::string& cell : row)
      for (const double number : possible_numbers(cell)) numbers.push_back(number);
  return numbers;
}

TEST_P(SeededSheet, NoAnswerStandsInItsMatrix) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const Snapshot live = sheets.sheet(seed);
    const AskedCells asked(sheets.state().questions, live);
    for (const Question* question : sheets.state().questions) {
      const auto cell = asked_cell(*question, live);
      if (!cell) continue;
      PaperTable table = full_stage_table(live, cell->stage, cell->head, 2);
      asked.blank_out(table, false);
      const double answer = question->answers.front().number(live).value();
      for (const double number : numbers_in(table))
        EXPECT_GT(std::abs(number - answer), tolerance_of(*question, answer))
            << "seed " << seed << ", line " << question->line;
    }
  }
}

TEST_P(SeededSheet, EveryAnswerIsAnother) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const Snapshot live = sheets.sheet(seed);
    const auto& questions = sheets.state().questions;
    for (std::size_t i = 0; i < questions.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const auto one = asked_cell(*questions[i], live), other = asked_cell(*questions[j], live);
        if (!one || !other || one->stage != other->stage) continue;
        const auto right = right_answer(*questions[i], live).value();
        EXPECT_NE(judge(*questions[j], right, live)->verdict, Verdict::kRight)
            << "seed " << seed << ", line " << questions[i]->line;
      }
  }
}

TEST_P(SeededSheet, TheOutputNeedsTheWeights) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const Snapshot live = sheets.sheet(seed);
    const Question& output = *sheets.state().questions[5];
    ASSERT_EQ(asked_cell(output, live)->stage, Stage::kHeadOutput);
    const attention::Matrix& V = *live.trace.heads[0].V;
    for (const float value : {V(0, 0), V(1, 0)})
      EXPECT_NE(judge(output, {{}, std::to_string(value), {}}, live)->verdict, Verdict::kRight)
          << "seed " << seed;
  }
}

// The text of the answer key.
std::string all_words(const std::vector<Figure>& pages) {
  std::string words;
  for (const Figure& page : pages)
    for (const Shape& shape : page.shapes)
      if (const auto* text = std::get_if<shape::Text>(&shape)) words += text->text + "\n";
  return words;
}

TEST_P(SeededSheet, TheKeyIsOfTheSameNumbers) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Snapshot live = sheets.sheet(seed);
    const std::string key = all_words(sheets.key(seed));
    for (const Question* question : sheets.state().questions) {
      if (question->type != QuestionType::kNumber) continue;
      const double answer = question->answers.front().number(live).value();
      EXPECT_NE(key.find("\n" + answer_number(*question, answer) + "\n"), key.npos) << seed;
    }
  }
}

double to_two_decimals(double number) { return std::round(number * 100) / 100; }

std::string typed(double number) { return std::to_string(to_two_decimals(number)); }

// Goes on with the rounded answers, as the sheet allows.
void expect_rounding_is_right(const PaperState& state, const Snapshot& live,
                              const std::string& of) {
  const auto& head = live.trace.heads[0];
  const auto& questions = state.questions;
  const auto expect_right = [&](std::size_t question, double answer) {
    EXPECT_EQ(judge(*questions[question], {{}, typed(answer), {}}, live)->verdict, Verdict::kRight)
        << of << ", question " << question + 1 << ": " << typed(answer);
    return to_two_decimals(answer);
  };
  const double score = expect_right(0, (*head.scores)(0, 1));
  const double at_sat = expect_right(2, score / to_two_decimals(std::sqrt(2.0)));
  const double at_cat = to_two_decimals((*head.scaled_scores)(0, 0));
  const double weight = expect_right(3, std::exp(at_cat) / (std::exp(at_cat) + std::exp(at_sat)));
  const double left = expect_right(4, 1 - weight);
  const attention::Matrix& V = *head.V;
  expect_right(5, weight * static_cast<double>(V(0, 0)) + left * static_cast<double>(V(1, 0)));
}

TEST_P(SeededSheet, WhoRoundsAsAllowedIsRight) {
  expect_rounding_is_right(sheets.state(), sheets.own(), "its own numbers");
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed)
    expect_rounding_is_right(sheets.state(), sheets.sheet(seed), "seed " + std::to_string(seed));
}

INSTANTIATE_TEST_SUITE_P(All, SeededSheet,
                         ::testing::Values("02-cat-sat-by-hand.md", "de/02-cat-sat-by-hand.md"),
                         [](const auto& test) { return test.index == 0 ? "English" : "German"; });

// Every stage with the decimals that matrices are printed with.
Snapshot as_printed(const Snapshot& live, double unit) {
  Snapshot printed = live;
  const auto rounded = [unit](attention::SharedMatrix& values) {
    attention::Matrix copy = *values;
    for (attention::Index i = 0; i < copy.size(); ++i)
      copy.data()[i] =
          static_cast<float>(std::round(static_cast<double>(copy.data()[i]) / unit) * unit);
    values = attention::SharedMatrix(std::move(copy));
  };
  for (auto& head : printed.trace.heads)
    for (auto* stage : {&head.Q, &head.K, &head.V, &head.scores, &head.scaled_scores, &head.weights,
                        &head.head_output})
      rounded(*stage);
  for (auto* stage : {&printed.trace.output, &printed.trace.residual, &printed.trace.layer_norm})
    rounded(*stage);
  return printed;
}

class PrintedNumbers : public ::testing::TestWithParam<LessonInfo> {};

TEST_P(PrintedNumbers, AnswerTheirQuestions) {
  const auto opened = open_lesson(GetParam().path).value();
  const PaperPlan plan(opened.reading.lesson, opened.folder);
  LiveEvaluator evaluator;
  for (const PaperState& state : plan.states()) {
    const Snapshot live = evaluator.evaluate(state.document);
    for (const Question* question : state.questions) {
      if (question->type != QuestionType::kNumber || asked_cell(*question, live)) continue;
      double unit = 0.01;
      while (question->tolerance && *question->tolerance > 0 && unit > *question->tolerance)
        unit /= 10;
      const double answer = question->answers.front().number(as_printed(live, unit)).value();
      EXPECT_EQ(judge(*question, {{}, std::to_string(answer), {}}, live)->verdict, Verdict::kRight)
          << "line " << question->line << ": " << answer;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, PrintedNumbers, ::testing::ValuesIn(every_lesson()),
                         lesson_test_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(PrintedNumbers);

}  // namespace
}  // namespace lab::samples
