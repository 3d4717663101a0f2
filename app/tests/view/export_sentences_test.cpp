// The export dialog, for every sentence of a batch.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "app/document/commands/reducer.h"
#include "app/files/open.h"
#include "app/files/problem/stage_numbers.h"
#include "app/tests/rooms.h"
#include "app/tests/temporary_folder.h"
#include "app/tests/view/model_screen.h"
#include "app/tests/view/screen.h"
#include "core/layer/evaluator.h"

namespace lab {
namespace {

using testing::HasSubstr;

class ExportSentences : public testing::Test {
 protected:
  ExportSentences() : screen(*open_document("refer")) {
    for (const char* text : {"a dog saw it", "it slept"})
      screen.workspace.queue(intent::Apply{AddSentence{text}});
    screen.frames(3);
    screen.key(Key::kEscape);
    screen.key(Key::kE, true);
    screen.frames(2);
  }
  void choose(const std::string& widget) {
    screen.click("dialog/" + widget);
    screen.frames();
  }
  void save_as(const std::string& name) {
    choose("path");
    screen.key(Key::kA, true);
    screen.type(folder / name);
    screen.frames();
    choose("ok");
    screen.frames(3);
  }
  std::string read(const std::string& name) const {
    std::ifstream file(folder / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  TemporaryFolder folder;
  Screen screen;
};

TEST_F(ExportSentences, NumbersOfEachGoIntoAFileOfTheirOwn) {
  choose("mode/numbers");
  choose("sentences/all");
  save_as("w.csv");
  for (int i = 0; i < 3; ++i) {
    const Document one = *apply(screen.document(), GoToSentence{i});
    attention::Evaluator evaluator;
    EXPECT_EQ(read("w-" + std::to_string(i + 1) + ".csv"),
              stage_csv(one, evaluator.evaluate(one.problem), attention::Stage::kWeights, 0));
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "w.csv"));
  EXPECT_EQ(screen.document().sentence, "it slept") << "nothing is shown but what was";
}

TEST_F(ExportSentences, FiguresOfEachInEveryChosenFormatAskBeforeReplacing) {
  choose("sentences/all");
  choose("also/pdf");
  save_as("w.svg");
  EXPECT_THAT(read("w-2.svg"), HasSubstr("dog"));
  EXPECT_THAT(read("w-3.svg"), HasSubstr("slept"));
  EXPECT_THAT(read("w-1.pdf"), HasSubstr("%PDF"));
  screen.key(Key::kEscape);
  screen.frames(2);
  std::ofstream(folder / "v-2.svg") << "mine";
  screen.key(Key::kE, true);
  screen.frames(2);
  save_as("v.svg");
  EXPECT_THAT(screen.view.state().dialog.problem, HasSubstr("v-2.svg"));
  EXPECT_EQ(read("v-2.svg"), "mine");
}

TEST_F(ExportSentences, OnlyTheOneThatIsShownUnlessAllAreChosen) {
  save_as("w.svg");
  EXPECT_THAT(read("w.svg"), HasSubstr("slept"));
  EXPECT_FALSE(std::filesystem::exists(folder / "w-1.svg"));
}

TEST(ExportOfAModelsSentences, HasTheWeightsOfEachText) {
  ModelScreen screen("induction", "abcdabc");
  screen.settle();
  screen.workspace.queue(intent::Apply{AddSentence{"xyzxy"}});
  screen.settle();
  screen.key(Key::kEscape);
  screen.key(Key::kE, true);
  screen.frames(2);
  const TemporaryFolder folder;
  for (const char* widget : {"mode/numbers", "sentences/all", "path"}) {
    screen.click("dialog/" + std::string(widget));
    screen.frames();
  }
  screen.key(Key::kA, true);
  screen.type(folder / "w.csv");
  screen.frames();
  screen.click("dialog/ok");
  screen.settle();
  const auto read = [&](const char* name) {
    std::ifstream file(folder / name);
    return std::string{std::istreambuf_iterator<char>(file), {}};
  };
  EXPECT_EQ(read("w-2.csv"),
            stage_csv(screen.document(), screen.workspace.trace(), attention::Stage::kWeights, 0));
  EXPECT_THAT(read("w-1.csv"), HasSubstr("\nd,"));
}

TEST(ExportOfOneSentence, OffersNoOthers) {
  Screen screen(*open_document("refer"));
  screen.key(Key::kEscape);
  screen.key(Key::kE, true);
  screen.frames(2);
  EXPECT_FALSE(screen.shows("dialog/sentences/all"));
}

}  // namespace
}  // namespace lab
