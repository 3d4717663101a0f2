// The window in another language, and back.
#include <gtest/gtest.h>

#include <cstdlib>

#include "app/explain/explain_text.h"
#include "app/explain/stage_text.h"
#include "app/files/open.h"
#include "app/tests/rooms.h"
#include "app/tests/temporary_folder.h"
#include "app/tests/view/screen.h"
#include "app/translation/words.h"
#include "app/view/actions/actions.h"
#include "app/view/toolkit/search.h"

namespace lab {
namespace {

class LanguageOfTheWindow : public testing::Test {
 protected:
  void TearDown() override { set_language(Language::kEnglish, {}); }

  void choose(const char* item) {
    screen.click("menu/View");
    screen.click(item);
    screen.frames(2);
  }

  Screen screen{*open_document("refer")};
};

TEST_F(LanguageOfTheWindow, IsChosenInTheMenu) {
  const float narrow = screen.place("menu/Edit").w;
  choose("view.german");
  EXPECT_EQ(language(), Language::kGerman);
  EXPECT_GT(screen.place("menu/Edit").w, narrow) << "Bearbeiten is longer than Edit";
  EXPECT_EQ(tr("Save"), "Speichern");
  EXPECT_EQ(stage_title(attention::Stage::kWeights), "Gewichte");
  choose("view.english");
  EXPECT_EQ(language(), Language::kEnglish);
  EXPECT_EQ(screen.place("menu/Edit").w, narrow);
  EXPECT_EQ(tr("Save"), "Save");
}

TEST_F(LanguageOfTheWindow, IsThatOfLabelsAndRefusals) {
  const Command command = SetTemperature{2}, refused = SetTemperature{0};
  EXPECT_EQ(command_label(command), "Set temperature to 2");
  choose("view.german");
  EXPECT_EQ(command_label(command), "Temperatur auf 2 setzen");
  screen.workspace.queue(intent::Apply{refused});
  screen.workspace.drain();
  EXPECT_NE(screen.workspace.message().find("eine Temperatur von 0 geht nicht"), std::string::npos)
      << screen.workspace.message();
}

TEST_F(LanguageOfTheWindow, IsThatOfTheHistoryAlsoOfEarlierSteps) {
  screen.click("matrix/W_Q/0/1");
  screen.type("2");
  screen.key(Key::kEnter);
  const auto steps = [&] { return screen.workspace.history().undo_label(); };
  EXPECT_EQ(steps(), "W_Q of head 1, row animate, column 1: -2 → 2");
  choose("view.german");
  EXPECT_EQ(steps(), "W_Q von Head 1, Zeile animate, Spalte 1: -2 → 2");
}

TEST_F(LanguageOfTheWindow, IsThatOfTheExplanation) {
  const auto meaning = [&] {
    return cell_meaning(screen.document(), attention::Stage::kWeights, 0, 7, 1);
  };
  const auto last_line = [&] {
    return explain_lines(screen.document(), screen.workspace.trace(), attention::Stage::kWeights, 0,
                         7, 1)
        .back()
        .name;
  };
  EXPECT_EQ(meaning(), "How much of “animal” flows into “it” in head 1.");
  EXPECT_EQ(last_line(), "weight");
  choose("view.german");
  EXPECT_EQ(meaning(), "Wie viel von „animal“ in Head 1 in „it“ einfließt.");
  EXPECT_EQ(last_line(), "Gewicht");
}

TEST_F(LanguageOfTheWindow, IsNoneOfWhatIsRecorded) {
  std::vector<std::string> lines;
  screen.workspace.set_recorder([&](const std::string& line) { lines.push_back(line); });
  for (const char* item : {"view.english", "view.german"}) {
    choose(item);
    screen.workspace.queue(intent::Apply{SetTemperature{2}});
    screen.workspace.queue(intent::Undo{});
    screen.workspace.drain();
  }
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0], lines[2]);
}

TEST_F(LanguageOfTheWindow, KeepsTheNamesOfWidgets) {
  const auto names = [&] {
    std::vector<std::string> all;
    for (const auto& [name, place] : screen.view.widgets().widgets()) all.push_back(name);
    return all;
  };
  screen.move({-1, -1});
  screen.frames(3);
  const std::vector<std::string> english = names();
  screen.view.state().language = Language::kGerman;
  screen.frames(3);
  EXPECT_EQ(names(), english);
}

TEST_F(LanguageOfTheWindow, FindsCommandsByBothLanguages) {
  choose("view.german");
  for (const char* typed : {"größer", "GRÖßER", "Larger", "vergrößern", "bigger"}) {
    screen.view.state().dialog.open = Dialog::kCommands;
    screen.view.state().dialog.search = typed;
    screen.frames(3);
    EXPECT_TRUE(screen.shows("command/view.larger")) << typed;
    screen.key(Key::kEscape);
    screen.frames(2);
  }
}

TEST_F(LanguageOfTheWindow, WithoutATableIsEnglishAndSaysSoOnce) {
  const TemporaryFolder folder;
  ::setenv("ATTENTION_LAB_ASSETS", folder.path().c_str(), 1);
  choose("view.german");
  ::unsetenv("ATTENTION_LAB_ASSETS");
  EXPECT_NE(screen.view.state().error.find("de.json"), std::string::npos);
  EXPECT_EQ(tr("Save"), "Save");
  screen.view.state().error.clear();
  screen.frames(3);
  EXPECT_EQ(screen.view.state().error, "");
}

TEST(Searching, TakesCapitalUmlautsAsSmallOnes) {
  EXPECT_TRUE(match("ÜBER", "über Attention Lab", ""));
  EXPECT_TRUE(match("größe", "GRÖßE d_model", ""));
  EXPECT_FALSE(match("×", "÷", ""));
}

TEST(Actions, HaveWordsInEveryLanguage) {
  ASSERT_EQ(set_language(Language::kGerman, assets_folder()), "");
  for (const Action& action : all_actions()) {
    EXPECT_FALSE(tr(action.name).empty()) << action.id;
    EXPECT_FALSE(tr(action.menu).empty()) << action.id;
    EXPECT_EQ(tr(action.words).empty(), action.words.empty()) << action.id;
  }
  EXPECT_EQ(tr(action("file.save").name), "Speichern");
  set_language(Language::kEnglish, {});
}

}  // namespace
}  // namespace lab
