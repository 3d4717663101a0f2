#include "app/tests/lessons/support.h"

#include <gtest/gtest.h>

#include "app/document/commands/reducer.h"
#include "app/files/open.h"
#include "app/lessons/reading/lesson_reader.h"
#include "app/tests/rooms.h"

namespace lab::samples {

LiveDocument::LiveDocument(const std::string& example)
    : document_(open_document(example).value()) {}

void LiveDocument::apply(const Command& command) {
  auto changed = lab::apply(document_, command);
  ASSERT_TRUE(changed) << changed.error().message;
  document_ = std::move(*changed);
}

Value LiveExpressions::value(const std::string& text) {
  const auto expression = Expression::parse(text);
  if (!expression) {
    ADD_FAILURE() << expression.error().message;
    return 0.0;
  }
  const auto value = expression->evaluate(live());
  if (!value) ADD_FAILURE() << text << ": " << value.error().message;
  return value.value_or(0.0);
}

double LiveExpressions::number(const std::string& text) {
  const auto number = number_of(value(text));
  EXPECT_TRUE(number) << text << " is no number";
  return number.value_or(0);
}

bool LiveExpressions::truth(const std::string& text) { return std::get<bool>(value(text)); }

std::string LiveExpressions::text(const std::string& text) {
  return std::get<std::string>(value(text));
}

CellValue LiveExpressions::cell(const std::string& text) {
  return std::get<CellValue>(value(text));
}

std::string LiveExpressions::error(const std::string& text) {
  const auto expression = Expression::parse(text);
  if (!expression) return expression.error().message;
  const auto value = expression->evaluate(live());
  EXPECT_FALSE(value) << text << " has a value";
  return value ? "" : value.error().message;
}

Lesson lesson_of(const std::string& text) {
  LessonReading reading = read_lesson(text);
  for (const std::string& problem : texts_of(reading.problems)) ADD_FAILURE() << problem;
  return std::move(reading.lesson);
}

std::vector<std::string> texts_of(const std::vector<LessonProblem>& problems) {
  std::vector<std::string> texts;
  for (const LessonProblem& problem : problems)
    texts.push_back(std::to_string(problem.line) + ": " + problem.message);
  return texts;
}

}  // namespace lab::samples
