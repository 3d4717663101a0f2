// The verbs lesson and lessons.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/tests/cli/run_cli.h"
#include "app/translation/words.h"

namespace lab::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(LessonVerbs, ListsNumberNameLevelAndTitle) {
  const std::string list = run({"lessons"}).out;
  EXPECT_THAT(list, HasSubstr(" 1  query-key-value "));
  EXPECT_THAT(list, HasSubstr("13  find-the-mistake "));
  EXPECT_THAT(list, HasSubstr("16  who-decides "));
  EXPECT_THAT(list, HasSubstr("15 min  first steps   “Cat sat” by hand\n"));
  EXPECT_THAT(list, Not(HasSubstr("done")));
}

TEST(LessonVerbs, TheListIsInGermanOnRequest) {
  const std::string list = run({"lessons", "--language", "de"}).out;
  EXPECT_THAT(list, HasSubstr(" 2  cat-sat-by-hand "));
  EXPECT_THAT(list, HasSubstr("erste Schritte"));
  EXPECT_THAT(list, HasSubstr("„Katze saß“ von Hand"));
  EXPECT_EQ(run({"lessons", "--language", "fr"}).code, 2);
}

TEST(LessonVerbs, TheListSaysWhatWasDone) {
  DisplayVerbs display;
  display.kept = [] { return KeptByWindow{{{"query-key-value", 6}, {"masks", 2}}}; };
  const char* const arguments[] = {"attention-lab", "lessons"};
  testing::internal::CaptureStdout();
  run_command_line(2, arguments, display);
  const std::string list = testing::internal::GetCapturedStdout();
  EXPECT_THAT(list, HasSubstr("Query, key, value: the library  done\n"));
  EXPECT_THAT(list, HasSubstr("Who may look at whom?           2 of 9\n"));
}

TEST(LessonVerbs, ALessonIsCheckedInGerman) {
  const Outcome german = run({"lesson", "masks", "--check", "--language", "de"});
  EXPECT_EQ(german.code, 0) << german.err;
  EXPECT_THAT(german.out, HasSubstr("Wer darf wohin schauen?"));
  EXPECT_EQ(language(), Language::kEnglish) << "only while the verb runs";
}

TEST(LessonVerbs, AWorksheetHasTheDigitsOfTheWindowOrThoseAskedFor) {
  const TempFolder folder;
  const std::string path = folder / "sheet.pdf";
  const auto sheet = [&](int kept, const char* asked) {
    DisplayVerbs display;
    display.kept = [kept] { return KeptByWindow{.lessons_done = {}, .digits = kept}; };
    const char* const argv[] = {"attention-lab", "lesson",   "refer", "--worksheet",
                                path.c_str(),    "--digits", asked};
    EXPECT_EQ(run_command_line(asked == nullptr ? 5 : 7, argv, display), 0);
    return bytes_of(path);
  };
  EXPECT_EQ(sheet(2, nullptr), sheet(4, "2"));
  EXPECT_EQ(sheet(4, nullptr), sheet(2, "4"));
  EXPECT_NE(sheet(2, nullptr), sheet(4, nullptr));
  EXPECT_EQ(run({"lesson", "refer", "--worksheet", path, "--digits", "7"}).code, 2);
}

TEST(LessonVerbs, AWorksheetIsWrittenInTheLanguageOfItsLesson) {
  const TempFolder folder;
  const auto sheet = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"lesson", "masks", "--worksheet", folder / "sheet.pdf"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome written = run(arguments);
    EXPECT_EQ(written.code, 0) << written.err;
    return bytes_of(folder / "sheet.pdf");
  };
  EXPECT_NE(sheet({}), sheet({"--language", "de"}));
  EXPECT_EQ(sheet({"--language", "en"}), sheet({}));
}

TEST(LessonVerbs, AWorksheetHasADecimalCommaOnRequest) {
  const TempFolder folder;
  run({"lesson", "cat-sat-by-hand", "--worksheet", folder / "point.pdf"});
  const Outcome comma =
      run({"lesson", "cat-sat-by-hand", "--decimal-comma", "--worksheet", folder / "comma.pdf"});
  EXPECT_EQ(comma.code, 0) << comma.err;
  EXPECT_NE(bytes_of(folder / "point.pdf"), bytes_of(folder / "comma.pdf"));
  run({"lesson", "cat-sat-by-hand", "--worksheet", folder / "again.pdf"});
  EXPECT_EQ(bytes_of(folder / "point.pdf"), bytes_of(folder / "again.pdf"));
}

TEST(LessonVerbs, ASeedIsAWholeNumber) {
  const TempFolder folder;
  const std::string path = folder / "sheet.pdf";
  for (const char* seed : {"-1", "1.5", "seven", "18446744073709551616"}) {
    const Outcome refused = run({"lesson", "cat-sat-by-hand", "--worksheet", path, "--seed", seed});
    EXPECT_EQ(refused.code, 2) << seed;
    EXPECT_THAT(refused.err, HasSubstr("--seed is \"" + std::string(seed) + "\"")) << seed;
  }
  EXPECT_EQ(run({"lesson", "cat-sat-by-hand", "--worksheet", path, "--seed", "0"}).code, 0);
}

TEST(LessonVerbs, AnUnknownLessonPointsToTheLessons) {
  const auto failed = run({"lesson", "nolesson", "--worksheet", "sheet.pdf"});
  EXPECT_NE(failed.code, 0);
  EXPECT_THAT(failed.err, HasSubstr("attention-lab lessons"));
}

TEST(LessonVerbs, TheWindowOpensInALanguage) {
  const Outcome opened = run({"masks", "--language", "de"});
  ASSERT_EQ(opened.windows.size(), 1u) << opened.err;
  EXPECT_EQ(opened.windows.front().language, Language::kGerman);
  EXPECT_EQ(run({"masks", "--language", "xx"}).code, 2);
}

TEST(Lesson, IsFoundByTheBeginningOfItsName) {
  const Outcome found = run({"lesson", "cat-sat", "--check"});
  EXPECT_EQ(found.code, 0) << found.err;
  EXPECT_NE(found.out.find("no problems"), std::string::npos);
  EXPECT_EQ(run({"lesson", "cat-sit", "--check"}).code, 6);
}

}  // namespace
}  // namespace lab::test
