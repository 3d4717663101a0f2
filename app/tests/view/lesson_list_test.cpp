// The list of lessons, and a lesson whose language is changed.
#include <gmock/gmock.h>

#include "app/base/typed_number.h"
#include "app/files/open.h"
#include "app/lessons/answers/answer.h"
#include "app/lessons/reading/lesson_library.h"
#include "app/tests/rooms.h"
#include "app/tests/view/screen.h"
#include "app/translation/words.h"
#include "app/view/lesson/lesson_actions.h"
#include "app/view/lesson/lesson_answers.h"
#include "app/view/toolkit/imgui_focus.h"

namespace lab {
namespace {

class LessonList : public testing::Test {
 protected:
  void TearDown() override {
    set_language(Language::kEnglish, {});
    set_decimal_comma(false);
  }
  ViewState& state() { return screen.view.state(); }
  void open(const std::string& source) {
    state().requests.ask(request::Leave{destination::Source{source}});
    screen.frames(4);
    compat::leave_text_field();  // the first box has the keyboard
    screen.frames(2);
  }
  void solve_all_of_step() {
    LessonRun& run = *state().lesson.run;
    for (std::size_t i = 0; i < run.questions().size(); ++i) {
      const std::string part = "lesson/" + std::to_string(i + 1) + "/";
      const Snapshot live{screen.workspace.document(), screen.workspace.trace()};
      given_of(state(), i) = right_answer(*run.questions()[i], live).value();
      screen.frames(1);
      screen.click(part + "check");
    }
  }

  Screen screen{*open_document("cat-sat"), {1600, 3600}};
};

TEST_F(LessonList, RemembersHowManyQuestionsWereAnswered) {
  const LessonInfo price = built_in_lessons()[11];
  open(price.name);
  solve_all_of_step();
  EXPECT_EQ(solved_of(state().lessons_done, price), 2u);
  EXPECT_FALSE(is_done(state().lessons_done, price));
  for (int step = 1; step < 3; ++step) {
    screen.click("lesson/next");
    compat::leave_text_field();
    screen.frames(2);
    solve_all_of_step();
  }
  EXPECT_TRUE(is_done(state().lessons_done, price));
  open(price.name);  // again from its beginning
  EXPECT_TRUE(is_done(state().lessons_done, price)) << "it stays done";
}

TEST_F(LessonList, OfAFileOfOnesOwnNothingIsRemembered) {
  open(assets_folder() + "/lessons/template.md");
  ASSERT_TRUE(lesson_is_open(state()));
  screen.click("lesson/next");
  solve_all_of_step();
  EXPECT_TRUE(state().lessons_done.empty());
}

TEST_F(LessonList, OpensLessonsInTheLanguageOfTheWindow) {
  state().language = Language::kGerman;
  screen.frames(2);
  state().requests.ask(request::OpenPopup{"lessons"});
  screen.frames(3);
  screen.click("lessons/masks");
  screen.frames(3);
  EXPECT_EQ(state().lesson.run->lesson().title, "Wer darf wohin schauen?");
}

TEST_F(LessonList, NumbersOfALessonHaveADecimalCommaOnRequest) {
  open("softmax");
  screen.click("menu/View");
  screen.click("view.decimal_comma");
  screen.frames(2);
  const Question& question = *state().lesson.run->questions()[0];
  const Snapshot live{screen.workspace.document(), screen.workspace.trace()};
  EXPECT_EQ(answer_number(question, 0.25), "0,25");
  EXPECT_NE(plain_text(state().lesson.run->questions()[1]->prompt, live).find("4,83"),
            std::string::npos);
  for (const char* typed : {"1,00", "1.00"})
    EXPECT_EQ(judge(question, {{}, typed, {}}, live).value().verdict, Verdict::kRight) << typed;
  screen.click("menu/View");
  screen.click("view.decimal_comma");
  screen.frames(2);
  EXPECT_EQ(answer_number(question, 0.25), "0.25");
}

TEST_F(LessonList, AnOpenLessonChangesItsLanguageAndKeepsItsAnswers) {
  open("the-price");
  solve_all_of_step();
  screen.click("lesson/next");
  screen.frames(2);
  state().language = Language::kGerman;
  screen.frames(3);
  const LessonRun& run = *state().lesson.run;
  EXPECT_EQ(run.lesson().title, "Der Preis der Attention");
  EXPECT_EQ(run.step_index(), 1u);
  EXPECT_EQ(run.solved_count(), 2u);
  EXPECT_EQ(state().error, "");
  screen.click("lesson/back");
  screen.frames(2);
  EXPECT_EQ(screen.document().tokens[1].text, "Tier") << "the German sentence";
  state().language = Language::kEnglish;
  screen.frames(3);
  EXPECT_EQ(state().lesson.run->lesson().title, "The price of attention");
  EXPECT_EQ(screen.document().tokens[1].text, "animal");
  screen.click("lesson/leave");
}

TEST_F(LessonList, EnterOpensTheFirstLine) {
  state().requests.ask(request::OpenPopup{"lessons"});
  screen.frames(4);
  screen.key(Key::kEnter);
  screen.frames(6);
  EXPECT_TRUE(lesson_is_open(state()));
}

}  // namespace
}  // namespace lab
