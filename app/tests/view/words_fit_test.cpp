// None of the window's own texts is cut off in any language.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/explain/stage_text.h"
#include "app/files/open.h"
#include "app/lessons/reading/lesson_library.h"
#include "app/tests/rooms.h"
#include "app/tests/view/screen.h"
#include "app/translation/words.h"

namespace lab {
namespace {

struct WindowSize {
  float width, height, scale;
};

using Fit = std::tuple<Language, WindowSize>;

// The texts that were shortened so far, and where. The document's own title may be shortened.
class WordsFit : public testing::TestWithParam<Fit> {
 protected:
  WordsFit() {
    screen.view.state().language = std::get<Language>(GetParam());
    screen.view.state().scale = size().scale;
    look("at the start");
  }

  static WindowSize size() { return std::get<WindowSize>(GetParam()); }

  void look(const std::string& where) {
    screen.frames(3);
    for (const std::string& text : screen.view.widgets().shortened())
      if (!is_of_document(text) && !is_formula(text)) shortened_.insert(text + " — " + where);
    if (screen.view.state().dialog.open == Dialog::kNone) return;
    for (const std::string& bar : screen.scroll_bars())
      if (bar.ends_with(" across")) shortened_.insert(where + " scrolls: " + bar);
  }

  // True for the text of the status bar about a cell, which names its tokens.
  static bool is_of_a_cell(const std::string& text) {
    const std::string words = tr("{} · row {} · column {}", {"", "", ""});
    return text.find(words.substr(0, words.rfind("· "))) != std::string::npos;
  }

  // The title, a token, and a cell with its tokens may be shortened.
  bool is_of_document(const std::string& text) const {
    const auto is_it = [&](const Token& token) { return text == token.text; };
    const Document& document = screen.document();
    const auto is_lesson = [&](const LessonInfo& lesson) { return text == lesson.title; };
    return text == document.title || std::ranges::any_of(built_in_lessons(), is_lesson) ||
           std::ranges::any_of(document.tokens, is_it) || text.find('[') != std::string::npos ||
           text.find(" → ") != std::string::npos || is_of_a_cell(text);
  }

  // The formula of the stage in a card's heading may be shortened, too.
  bool is_formula(const std::string& text) const {
    for (const char* of_two_heads : {"B − A", "●", " | ", " − "})
      if (text.find(of_two_heads) != std::string::npos) return true;
    if (text == tr("mean of {} heads", {"3"}) || text == tr("maximum of {} heads", {"3"}))
      return true;
    return std::ranges::any_of(attention::kAllStages, [&](attention::Stage stage) {
      return text == stage_formula(screen.document().problem, stage);
    });
  }

  // Shows each column of a window that has no room for all side by side.
  void go_to_columns(const std::string& where) {
    for (const SideTab tab : {SideTab::kEdit, SideTab::kExplain, SideTab::kMaps}) {
      screen.view.state().side_tab = tab;
      look(where + ", column " + std::to_string(static_cast<int>(tab)));
    }
  }

  void apply(const Command& command) {
    screen.workspace.queue(intent::Apply{command});
    screen.workspace.drain();
  }

  void TearDown() override {
    set_language(Language::kEnglish, {});
    EXPECT_EQ(shortened_, std::set<std::string>());
  }

  Screen screen{*open_document("refer"), {size().width, size().height}};

 private:
  std::set<std::string> shortened_;
};

TEST_P(WordsFit, InTheColumnsAndEveryMatrix) {
  go_to_columns("plain");
  apply(SetBiases{true});
  apply(SetLayerNorm{.on = true});
  apply(SetHeadNorm{.on = true});
  apply(SetSink{true});
  apply(SetPositions{.type = attention::Positions::kLearned});
  screen.view.state().side_tab = SideTab::kEdit;
  for (const char* name : {"X", "W_Q", "W_O", "mask", "score_bias", "b_Q", "b_O", "gamma", "norm_Q",
                           "norm_K", "sink", "position_table"}) {
    screen.view.state().edit.matrix = *matrix_from_name(name);
    look(name);
  }
}

TEST_P(WordsFit, InEveryStageAndItsExplanation) {
  apply(SetMask{true, 9, 4});
  apply(SetDropout{.rate = 0.3f});
  apply(SetResidual{true});
  apply(SetLayerNorm{.on = true});
  apply(SetHeadNorm{.on = true});
  apply(SetSink{true});
  apply(SetScoreCap{50});
  apply(SetTemperature{2});
  for (const attention::Positions positions :
       {attention::Positions::kSinusoidal, attention::Positions::kRotary,
        attention::Positions::kAlibi}) {
    apply(SetPositions{.type = positions});
    for (const attention::Stage stage : attention::kAllStages) {
      if (!is_active(screen.document().problem, stage)) continue;
      screen.view.state().selection.stage = stage;
      go_to_columns(std::string(stage_name(stage)));
    }
  }
}

TEST_P(WordsFit, InTheViewsOfHeads) {
  apply(SetHeadMix{.head = 1, .mute = true});
  for (int order = 0; order < 7; ++order) {
    screen.view.state().heads.order = static_cast<HeadOrder>(order);
    go_to_columns("order " + std::to_string(order));
  }
  for (int view = 0; view < 6; ++view) {
    screen.view.state().heads.view = static_cast<HeadView>(view);
    go_to_columns("view " + std::to_string(view));
  }
  for (int lines = 0; lines < 3; ++lines) {
    screen.view.state().tokens.lines = static_cast<TokenLines>(lines);
    look("lines " + std::to_string(lines));
  }
}

TEST_P(WordsFit, WhileComparingAndOverriding) {
  screen.key(Key::kD, true);
  go_to_columns("comparing");
  apply(SetTemperature{3});
  apply(SetOverride{{attention::Stage::kScores, 0, 1, 2}, 5.0f});
  for (const CompareView view : {CompareView::kA, CompareView::kB, CompareView::kDifference}) {
    screen.view.state().compare.view = view;
    go_to_columns("view " + std::to_string(static_cast<int>(view)));
  }
  screen.view.state().compare.one_range = true;
  look("one range");
  screen.view.state().requests.ask(request::OpenPopup{"overrides"});
  look("overrides");
}

TEST_P(WordsFit, InCrossAttention) {
  apply(SetKvSentence{"el animal"});
  apply(SetPositions{.type = attention::Positions::kLearned});
  go_to_columns("cross");
  screen.view.state().side_tab = SideTab::kEdit;
  for (const char* name : {"X_kv", "position_table_kv"}) {
    screen.view.state().edit.matrix = *matrix_from_name(name);
    look(name);
  }
}

TEST_P(WordsFit, InMenus) {
  for (const char* menu : {"menu/Variants", "history", "fills", "model/d_model", "menu/Tokens"}) {
    screen.view.state().requests.ask(request::OpenPopup{menu});
    look(menu);
    screen.key(Key::kEscape);
  }
  for (const char* menu :
       {"menu/All", "menu/File", "menu/View", "menu/Model", "menu/Heads", "menu/Explain",
        "menu/together", "menu/order", "model/mask", "button/source", "menu/weights", "tab/more"}) {
    if (!screen.shows(menu)) continue;
    screen.click(menu);
    look(menu);
    screen.key(Key::kEscape);
    screen.frames(2);
  }
}

TEST_P(WordsFit, InDialogs) {
  screen.desktop.has_dialog = true;
  DialogState& dialog = screen.view.state().dialog;
  for (const Dialog one : {Dialog::kOpen, Dialog::kSaveAs, Dialog::kUnsaved, Dialog::kRevert,
                           Dialog::kCommands, Dialog::kShortcuts, Dialog::kGuide, Dialog::kAbout,
                           Dialog::kLeaveLesson, Dialog::kWorksheet}) {
    dialog.open = one;
    look("dialog " + std::to_string(static_cast<int>(one)));
    dialog.open = Dialog::kNone;
    screen.frames(3);
  }
  screen.desktop.has_dialog = false;
  screen.key(Key::kE, true);
  for (int mode = 0; mode < kExportModes; ++mode) {
    dialog.exporting.mode = static_cast<ExportMode>(mode);
    look("export " + std::to_string(mode));
  }
}

TEST_P(WordsFit, WhilePresenting) {
  screen.key(Key::kEscape);
  screen.key(Key::kF5);
  for (const attention::Stage stage : attention::kAllStages) {
    if (!is_active(screen.document().problem, stage)) continue;
    screen.view.state().selection.stage = stage;
    look(std::string(stage_name(stage)));
  }
}

// Every step with wrong answers, all hints, and the text at the end.
TEST_P(WordsFit, InLessons) {
  LessonState& lesson = screen.view.state().lesson;
  lesson.offered = true;
  look("offer");
  screen.view.state().requests.ask(request::Leave{destination::Source{"cat-sat-by-hand"}});
  look("first step");
  for (std::size_t place = 0; !lesson.finished; ++place) {
    LessonRun& run = *lesson.run;
    const Snapshot live{screen.document(), screen.workspace.trace()};  // of this step
    for (std::size_t i = 0; i < run.questions().size(); ++i) {
      const auto wrong = wrong_answers(*run.questions()[i], live);
      if (wrong && !wrong->empty()) (void)run.answer(i, wrong->front(), live, {});
      while (run.give_hint(i, live)) look("hint in step " + std::to_string(place));
    }
    lesson.answers_shown = true;
    look("step " + std::to_string(place));
    screen.key(Key::kPageDown, true);
  }
  look("end");
  for (const Dialog dialog : {Dialog::kSaveAnswers, Dialog::kRestartStep}) {
    screen.view.state().dialog.open = dialog;
    look("dialog " + std::to_string(static_cast<int>(dialog)));
    screen.view.state().dialog.open = Dialog::kNone;
    screen.frames(3);
  }
  for (const char* popup : {"menu/lesson", "lessons"}) {
    screen.view.state().requests.ask(request::OpenPopup{popup});
    look(popup);
    screen.key(Key::kEscape);
  }
  screen.key(Key::kF5);
  look("presented end");
  screen.key(Key::kPageUp);
  look("presented");
}

constexpr WindowSize kSizes[] = {
    {1600, 1000, 1}, {1280, 800, 1}, {1024, 640, 1}, {1600, 1000, 1.5f}};

std::string name_of(const testing::TestParamInfo<Fit>& info) {
  const auto& [language, size] = info.param;
  return std::string(language_name(language)) + "_" + std::to_string(static_cast<int>(size.width)) +
         "_" + std::to_string(static_cast<int>(size.scale * 100));
}

INSTANTIATE_TEST_SUITE_P(Window, WordsFit,
                         testing::Combine(testing::ValuesIn(kLanguages), testing::ValuesIn(kSizes)),
                         name_of);

}  // namespace
}  // namespace lab
