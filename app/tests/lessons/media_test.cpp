// What a lesson says for the window only or for paper only, and how it names parts of the window.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/files/open.h"
#include "app/lessons/lesson_check.h"
#include "app/lessons/reading/lesson_library.h"
#include "app/lessons/reading/lesson_reader.h"
#include "app/tests/lessons/support.h"
#include "app/tests/rooms.h"
#include "app/translation/words.h"

namespace lab::samples {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kOne = kFront + "## One\n```lab\nopen cat-sat\n```\n";

std::vector<std::string> mistakes_in(const std::string& text) {
  const LessonReading reading = read_lesson(text);
  if (!reading.problems.empty()) return texts_of(reading.problems);
  return texts_of(check_lesson(reading.lesson, "", {}));
}

// German for as long as it lives.
class InGerman {
 public:
  InGerman() { set_language(Language::kGerman, assets_folder()); }
  ~InGerman() { set_language(Language::kEnglish, assets_folder()); }
  InGerman(const InGerman&) = delete;
  InGerman& operator=(const InGerman&) = delete;
};

TEST(LessonMedia, ABlockIsForTheScreenOrForPaper) {
  const Lesson lesson = lesson_of(kOne + "Both.\n```screen\nS.\n```\n~~~paper\nP.\n~~~\n");
  std::vector<Medium> media;
  for (const auto& item : lesson.steps[0].items) media.push_back(std::get<Passage>(item).medium);
  EXPECT_THAT(media, ElementsAre(Medium::kBoth, Medium::kScreen, Medium::kPaper));
}

TEST(LessonMedia, MistakesInThemAreToldWithTheirLine) {
  EXPECT_THAT(mistakes_in(kOne + "```screen\n![](a.png)\n```\n"), ElementsAre(HasSubstr("12: ")));
  const std::string question = "```question choice\nWhich?\n- [x] a\n- [ ] b\n";
  EXPECT_THAT(mistakes_in(kOne + question + "table: Z[1]\n```\n"),
              ElementsAre(HasSubstr("15: there is no stage or matrix \"Z\"")));
  EXPECT_THAT(mistakes_in(kOne + question + "table: Q[0]\n```\n"),
              ElementsAre(HasSubstr("is not a matrix")));
  EXPECT_THAT(mistakes_in(kOne + question + "table: Q[2]\n```\n"),
              Contains(HasSubstr("there is no head 2; there are heads 1 to 1")));
  EXPECT_THAT(mistakes_in(kOne + question + "table: position\n```\n"),
              Contains(HasSubstr("there is no position in this model")));
  EXPECT_THAT(mistakes_in(kOne + question + "paper: On paper `= nothing`\n```\n"),
              Contains(HasSubstr("nothing")));
}

TEST(LessonMedia, APartOfTheWindowIsNamedAsTheWindowNamesIt) {
  const Lesson lesson = lesson_of(kOne + "In `ui: Mask`, choose `ui: none##mask`.\n");
  LiveDocument cat("cat-sat");
  const auto words = [&] {
    return plain_text(std::get<Passage>(lesson.steps[0].items[0]).text, cat.live());
  };
  EXPECT_EQ(words(), "In Mask, choose none.");
  const InGerman german;
  EXPECT_EQ(words(), "In Maske, choose keine.");
}

TEST(LessonMedia, ANameThatTheWindowDoesNotHaveIsAMistake) {
  EXPECT_THAT(mistakes_in(kOne + "Press\n`ui: Masque`.\n"),
              ElementsAre(HasSubstr("12: the window has no text \"Masque\"")));
  EXPECT_THAT(mistakes_in(kOne + "Press `ui: Mask`.\n"), IsEmpty());
}

TEST(LessonMedia, ALessonMaySayItsLanguage) {
  const std::string rest = "title: T\ngoal: G\nminutes: 5\nlevel: L\n---\n## A\n";
  EXPECT_EQ(read_lesson("---\nlanguage: de\n" + rest).lesson.language, Language::kGerman);
  EXPECT_EQ(lesson_of(kOne).language, std::nullopt);
  EXPECT_THAT(texts_of(read_lesson("---\nlanguage: deutsch\n" + rest).problems),
              ElementsAre(HasSubstr("2: language is \"deutsch\" but should be en or de")));
}

}  // namespace
}  // namespace lab::samples
