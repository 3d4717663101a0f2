// The lessons of every language ask the same, so that a student may change the language.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/files/open.h"
#include "app/lessons/reading/lesson_library.h"
#include "app/tests/every_lesson.h"
#include "app/tests/lessons/support.h"
#include "app/tests/rooms.h"

namespace lab::samples {
namespace {

// "choice 3", "number", …, and "step" before the questions of each.
std::vector<std::string> outline_of(const Lesson& lesson) {
  std::vector<std::string> outline;
  for (const Step& step : lesson.steps) {
    outline.push_back("step");
    for (const Question* question : questions_of(step))
      outline.push_back(std::string(question_type_name(question->type)) + " " +
                        std::to_string(question->choices.size()) + " " +
                        std::to_string(question->hints.size()));
  }
  return outline;
}

class TranslatedLesson : public ::testing::TestWithParam<LessonInfo> {};

TEST_P(TranslatedLesson, AsksWhatTheEnglishOneAsks) {
  const auto shelf = built_in_lessons(Language::kEnglish);
  const LessonInfo& english = shelf.at(static_cast<std::size_t>(GetParam().number) - 1);
  EXPECT_EQ(english.name, GetParam().name);
  EXPECT_EQ(english.minutes, GetParam().minutes);
  EXPECT_EQ(english.questions, GetParam().questions);
  const Lesson own = open_lesson(GetParam().path).value().reading.lesson;
  const Lesson other = open_lesson(english.path).value().reading.lesson;
  EXPECT_EQ(outline_of(own), outline_of(other));
  EXPECT_EQ(own.seeds, other.seeds);
}

INSTANTIATE_TEST_SUITE_P(All, TranslatedLesson, ::testing::ValuesIn(every_lesson()),
                         lesson_test_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(TranslatedLesson);

TEST(LessonShelf, HasEveryLessonInGerman) {
  const auto english = built_in_lessons(Language::kEnglish);
  const auto german = built_in_lessons(Language::kGerman);
  ASSERT_EQ(german.size(), english.size());
  EXPECT_EQ(german.size(), 18u);
  for (std::size_t i = 0; i < german.size(); ++i) {
    EXPECT_EQ(german[i].name, english[i].name);
    EXPECT_NE(german[i].path, english[i].path) << german[i].name << " is not translated";
    EXPECT_EQ(open_lesson(german[i].path).value().reading.lesson.language, Language::kGerman);
  }
}

TEST(LessonShelf, OpensALessonInTheLanguageOfTheWindow) {
  EXPECT_EQ(open_lesson("masks").value().reading.lesson.title, "Who may look at whom?");
  EXPECT_EQ(open_lesson("Wer darf wohin schauen?").value().reading.lesson.language,
            Language::kGerman);
  set_language(Language::kGerman, assets_folder());
  const auto opened = open_lesson("masks").value();
  set_language(Language::kEnglish, assets_folder());
  EXPECT_EQ(opened.reading.lesson.title, "Wer darf wohin schauen?");
  EXPECT_TRUE(is_lesson("Wer darf wohin schauen?"));
}

}  // namespace
}  // namespace lab::samples
