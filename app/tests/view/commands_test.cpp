// The command palette, which finds every command by its name, and the themes it can choose.
#include <gtest/gtest.h>

#include <algorithm>

#include "app/files/open.h"
#include "app/tests/rooms.h"
#include "app/tests/view/screen.h"
#include "app/view/actions/actions.h"
#include "app/view/toolkit/search.h"

namespace lab {
namespace {

int score(std::string_view typed, std::string_view name, std::string_view words = {}) {
  const auto found = match(typed, name, words);
  return found ? found->score : -1;
}

TEST(Search, FindsWordsInAnyOrderAndCase) {
  EXPECT_TRUE(match("", "Next head"));
  EXPECT_TRUE(match("head NEXT", "View: Next head"));
  EXPECT_TRUE(match("nh", "Next head"));
  EXPECT_TRUE(match("switch head", "Next head", "switch other"));
  EXPECT_FALSE(match("head tail", "Next head"));
  EXPECT_FALSE(match("hn", "Next head"));
}

TEST(Search, RanksWordsThenStartsThenOtherWordsThenInsideThenLetters) {
  EXPECT_GT(score("mask", "Causal mask"), score("mask", "Masked scores"));
  EXPECT_GT(score("mask", "Masked scores"), score("mask", "Window", "mask local"));
  EXPECT_GT(score("mask", "Window", "mask local"), score("mask", "Unmasked"));
  EXPECT_GT(score("mask", "Unmasked"), score("mask", "Move a sick kid"));
  EXPECT_GT(score("mask", "Move a sick kid"), 0);
}

TEST(Search, SaysWhatItFound) {
  EXPECT_EQ(match("head", "Next head")->parts, (std::vector<TextPart>{{5, 4}}));
  EXPECT_EQ(match("nh", "Next head")->parts, (std::vector<TextPart>{{0, 1}, {5, 1}}));
  EXPECT_EQ(match("he head", "Next head")->parts, (std::vector<TextPart>{{5, 4}}));
  EXPECT_TRUE(match("other", "Next head", "other")->parts.empty());
}

class Commands : public testing::Test {
 protected:
  void open() {
    screen.key(Key::kK, true);
    screen.frames(3);
    ASSERT_TRUE(screen.shows("command/search"));
  }
  Screen screen{*open_document("refer")};
};

TEST_F(Commands, FindTheExportByWhatItsDialogOffers) {
  for (const char* typed : {"export every", "all heads", "every stage", "animation"}) {
    open();
    screen.type(typed);
    screen.frames(2);
    EXPECT_TRUE(screen.shows("command/file.export")) << typed;
    screen.key(Key::kEscape);
    screen.frames(2);
  }
}

TEST_F(Commands, RunTheOneThatWasTyped) {
  open();
  screen.type("high con");
  screen.key(Key::kEnter);
  screen.frames(3);
  EXPECT_EQ(screen.view.state().theme, ThemeId::kHighContrast);
  EXPECT_FALSE(screen.shows("command/search"));
}

TEST_F(Commands, TakeArrowsAndTheMouse) {
  open();
  screen.type("explain sc");
  ASSERT_TRUE(screen.shows("command/stage/scores"));
  screen.key(Key::kDown);
  screen.key(Key::kEnter);
  EXPECT_EQ(screen.view.state().selection.stage, attention::Stage::kScaledScores);
  open();
  screen.type("focus head");
  screen.click("command/head/3");
  EXPECT_EQ(screen.view.state().head, 2);
}

TEST_F(Commands, DoNotRunWhatCannotBeRun) {
  open();
  screen.type("undo");
  ASSERT_TRUE(screen.shows("command/edit.undo"));
  screen.key(Key::kEnter);
  screen.frames(2);
  EXPECT_TRUE(screen.shows("command/search"));
  screen.key(Key::kEscape);
  screen.frames(2);
  EXPECT_FALSE(screen.shows("command/search"));
}

TEST_F(Commands, OpenOtherDialogs) {
  open();
  screen.type("save as");
  screen.key(Key::kEnter);
  screen.frames(3);
  EXPECT_EQ(screen.view.state().dialog.open, Dialog::kSaveAs);
  EXPECT_TRUE(screen.shows("dialog/path"));
}

TEST_F(Commands, ReachEveryAction) {
  for (const Action& action : all_actions()) {
    if (action.id == "help.commands") continue;
    open();
    const auto is_ascii = [](char c) { return static_cast<signed char>(c) >= 0; };
    const auto end = std::ranges::find_if_not(action.name, is_ascii);
    screen.type(std::string(action.name.begin(), end));
    EXPECT_TRUE(screen.shows("command/" + std::string(action.id))) << action.id;
    screen.key(Key::kEscape);
    screen.frames(2);
  }
}

TEST_F(Commands, AreFoundBySynonyms) {
  constexpr std::pair<const char*, const char*> kRequested[] = {
      {"variants", "model.variants"},
      {"temperature", "model.temperature"},
      {"residual", "model.residual"},
      {"skip", "model.residual"},
      {"layer norm", "model.layer_norm"},
      {"layernorm", "model.layer_norm"},
      {"qk norm", "model.head_norm"},
      {"soft cap", "model.score_cap"},
      {"cross", "edit.cross"},
      {"encoder", "edit.cross"},
      {"mask", "model.causal"},
      {"causal", "model.causal"},
      {"future", "model.causal"},
      {"positions", "model.sinusoidal"},
      {"rope", "model.rotary"},
      {"gqa", "model.n_kv_heads"},
      {"scale", "model.scale"},
      {"sqrt", "model.scale"},
      {"dropout", "model.dropout"},
      {"d_model", "model.d_model"},
      {"tokenizer", "model.tokens"},
      {"slides", "view.present"},
      {"ablate", "heads.mute"},
      {"compare heads", "heads.difference"},
      {"new", "file.new"},
      {"exit", "file.quit"},
      {"embeddings", "matrix/X"},
      {"query weights", "matrix/W_Q"},
      {"cat sat", "example/cat-sat"}};
  for (const auto& [typed, id] : kRequested) {
    open();
    screen.type(typed);
    const std::string name = std::string("command/") + id;
    ASSERT_TRUE(screen.shows(name)) << typed;
    const Rect row = screen.place(name), field = screen.place("command/search");
    EXPECT_LT(row.y - field.bottom(), 8 * row.h) << typed << ": among the first";
    EXPECT_GT(row.h, 10) << typed;
    screen.key(Key::kEscape);
    screen.frames(2);
  }
}

TEST_F(Commands, OpenTheFieldsAndMenusOfTheModel) {
  const auto run = [&](const char* typed) {
    open();
    screen.type(typed);
    screen.key(Key::kEnter);
    screen.frames(4);
  };
  run("temperature");
  EXPECT_TRUE(screen.view.state().temperature_text);
  screen.key(Key::kA, true);
  screen.type("2");
  screen.key(Key::kEnter);
  EXPECT_EQ(screen.document().problem.config.temperature, 2);
  run("variants");
  EXPECT_TRUE(screen.shows("variant/dropout_rate"));
  screen.key(Key::kEscape);
  screen.frames(2);
  run("d_model");
  EXPECT_TRUE(screen.shows("field/d_model"));
  screen.key(Key::kEscape);
  screen.frames(2);
  run("tokenizer");
  EXPECT_TRUE(screen.shows("tokens/words"));
  screen.key(Key::kEscape);
  screen.frames(2);
  screen.key(Key::kF5);
  run("edit w_k");
  EXPECT_EQ(screen.view.state().edit.matrix, MatrixId::kWK);
  EXPECT_TRUE(screen.shows("tab/W_K")) << "and ends presenting";
}

TEST_F(Commands, SwitchTheVariants) {
  const auto run = [&](const char* typed) {
    open();
    screen.type(typed);
    screen.key(Key::kEnter);
    screen.frames(4);
  };
  for (const char* typed : {"residual", "layer norm", "biases", "causal mask", "rope"}) run(typed);
  const attention::Config& config = screen.document().problem.config;
  EXPECT_TRUE(config.residual);
  EXPECT_TRUE(config.layer_norm);
  EXPECT_FALSE(config.biases) << "the example has some";
  EXPECT_TRUE(config.mask.causal);
  EXPECT_EQ(config.positions, attention::Positions::kRotary);
  run("residual");
  EXPECT_FALSE(screen.document().problem.config.residual);
}

TEST_F(Commands, SayWhenNothingMatches) {
  open();
  screen.type("zzzzzz");
  screen.key(Key::kEnter);
  screen.frames(2);
  EXPECT_TRUE(screen.shows("command/search"));
}

TEST(Themes, CanBeRead) {
  for (const ThemeId id : {ThemeId::kLight, ThemeId::kDark, ThemeId::kHighContrast}) {
    const Theme& theme = theme_for(id);
    const double least = id == ThemeId::kHighContrast ? 7 : 4.5;
    EXPECT_GE(contrast(theme.text, theme.card), 7) << theme_name(id);
    EXPECT_GE(contrast(theme.dim, theme.card), least) << theme_name(id);
    EXPECT_GE(contrast(theme.text, theme.button), least) << theme_name(id);
    EXPECT_GE(contrast(theme.on_accent, theme.accent), least) << theme_name(id);
    EXPECT_GE(contrast(theme.danger, theme.card), least) << theme_name(id);
    if (id == ThemeId::kHighContrast) {
      EXPECT_GE(contrast(theme.selected, theme.card), least);
      EXPECT_GE(contrast(theme.on_selected, theme.selected), least);
      EXPECT_GE(contrast(theme.line, theme.card), 3);
    }
  }
}

}  // namespace
}  // namespace lab
