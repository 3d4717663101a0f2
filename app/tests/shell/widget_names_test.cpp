// Lessons are checked against the widgets that the window really has.
#include "app/shell/display_verbs.h"

#include <gmock/gmock.h>

#include "app/lessons/lesson_check.h"
#include "app/lessons/reading/lesson_library.h"
#include "app/lessons/reading/lesson_reader.h"
#include "app/tests/every_lesson.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(WidgetNames, AreThoseOfTheStepsDocumentAndPanels) {
  StepStart start{initial_document().value(), {}};
  const std::set<std::string> whole = widget_names(start);
  for (const char* name : {"card/weights", "card/output", "matrix/W_Q/0/0", "model/d_k", "row/0"})
    EXPECT_THAT(whole, Contains(name));
  EXPECT_THAT(whole, Not(Contains("card/lesson")));
  start.view.hidden = {"row"};
  EXPECT_THAT(widget_names(start), Not(Contains("row/0")));
}

TEST(WidgetNames, FindAHighlightThatIsNowhere) {
  const std::string text =
      "---\ntitle: T\ngoal: G\nminutes: 5\nlevel: L\n---\n## A\n```lab\nopen cat-sat\n"
      "highlight model/d_k\nhighlight model/nonsense\n```\n";
  const auto problems = check_lesson(read_lesson(text).lesson, "", widget_names);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems.front().line, 11);
  EXPECT_THAT(problems.front().message, HasSubstr("model/nonsense"));
}

class BuiltInHighlights : public testing::TestWithParam<LessonInfo> {};

TEST_P(BuiltInHighlights, AreAllThere) {
  const OpenedLesson opened = open_lesson(GetParam().path).value();
  for (const auto& problem : check_lesson(opened.reading.lesson, opened.folder, widget_names))
    ADD_FAILURE() << problem_text(opened.path, problem);
}

INSTANTIATE_TEST_SUITE_P(All, BuiltInHighlights, ::testing::ValuesIn(every_lesson()),
                         lesson_test_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(BuiltInHighlights);

}  // namespace
}  // namespace lab
