// What the history says about each step.
#include "app/document/history/history.h"

#include <gtest/gtest.h>

#include "app/base/typed_number.h"
#include "app/document/commands/reducer.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

using attention::Stage;

class StepLabels : public ::testing::Test {
 protected:
  StepLabels() {
    attention::Config config;
    config.n_heads = 2;
    document = make_document("the animal was tired", config, 1);
    change({SetCell{{MatrixId::kX, 0}, 1, 3, 0.5f}});
    change({SetCell{{MatrixId::kWQ, 1}, 0, 1, 0.25f}});
  }
  // The name of the step; the document is then as after it.
  std::string change(const Command& command) {
    const Document before = document;
    document = apply(before, command).value();
    return step_label(command, before, document);
  }

  Document document;
};

TEST_F(StepLabels, NameTheWordTheCellAndTheNumbers) {
  EXPECT_EQ(change(SetCell{{MatrixId::kX, 0}, 1, 3, 0.7f}), "X, row animal, column 3: 0.5 → 0.7");
  EXPECT_EQ(change(SetCell{{MatrixId::kWQ, 1}, 0, 1, -2}),
            "W_Q of head 2, row 0, column 1: 0.25 → -2");
  EXPECT_EQ(change(SetTemperature{2}), "Temperature: 1 → 2");
}

TEST_F(StepLabels, HaveTheDecimalMarkOfTheWindow) {
  set_decimal_comma(true);
  EXPECT_EQ(change(SetTemperature{2.5f}), "Temperature: 1 → 2,5");
  set_decimal_comma(false);
}

TEST_F(StepLabels, NameTheOverriddenCell) {
  const StageCell cell{Stage::kScores, 1, 3, 1};
  EXPECT_EQ(change(SetOverride{cell, 4}), "Override scores of head 2, row tired, column animal: 4");
  EXPECT_EQ(change(SetOverride{cell, 5}), "scores of head 2, row tired, column animal: 4 → 5");
  EXPECT_EQ(change(RemoveOverride{cell}),
            "Remove override of scores of head 2, row tired, column animal");
}

TEST_F(StepLabels, NameTheWordsThatChanged) {
  EXPECT_EQ(change(SetSentence{"the animal was sleepy"}), "Sentence: “tired” → “sleepy”");
  EXPECT_EQ(change(SetSentence{"the old animal was sleepy"}), "Sentence: “old” added");
  EXPECT_EQ(change(SetSentence{"the animal was sleepy"}), "Sentence: “old” removed");
  EXPECT_EQ(change(SetSentence{"the animal"}), "Sentence: “was sleepy” removed");
  EXPECT_EQ(change(SetKvSentence{"le chat"}), "A second sentence");
  EXPECT_EQ(change(SetKvSentence{"un chat"}), "Second sentence: “le” → “un”");
  EXPECT_EQ(change(SetKvSentence{}), "Remove second sentence");
}

TEST_F(StepLabels, ShortenALongSentenceInItsMiddle) {
  std::string sentence = "first";
  for (int i = 0; i < 50; ++i) sentence += " word" + std::to_string(i);
  const std::string label = change(SetSentence{sentence + " last"});
  EXPECT_TRUE(label.starts_with("Sentence: “the animal was tired” → “first word0 word1")) << label;
  EXPECT_TRUE(label.ends_with(" last”")) << label;
  EXPECT_NE(label.find(" … "), std::string::npos) << label;
  EXPECT_LT(label.size(), 160u) << label;
}

TEST_F(StepLabels, HaveTheBlanksThatWereTyped) {
  EXPECT_EQ(change(SetSentence{"A dog barked, because"}),
            "Sentence: “the animal was tired” → “A dog barked, because”");
  const std::string cell = change(SetCell{{MatrixId::kX, 0}, 3, 0, 2});
  EXPECT_TRUE(cell.starts_with("X, row “,”, column 0: ")) << cell;
  EXPECT_EQ(change(SetSize{SizeId::kHeads, 3}), "Set heads h to 3");
}

TEST_F(StepLabels, NamePairsOfTheMaskAndBlocks) {
  EXPECT_EQ(change(SetCell{{MatrixId::kMask, 0}, 2, 0, 0}), "Forbid was → the");
  EXPECT_EQ(change(SetCell{{MatrixId::kMask, 0}, 2, 0, 1}), "Allow was → the");
  EXPECT_EQ(change(SetBlock{{MatrixId::kX, 0}, 1, 2, attention::Matrix::Ones(2, 1)}),
            "Edit 2 × 1 cells of X, from row animal, column 2");
}

TEST_F(StepLabels, AreThoseOfTheCommandOtherwise) {
  for (const Command& command : {Command(SetScale{false}), Command(SetMask{true}),
                                 Command(SetSize{SizeId::kHeads, 1}), Command(ClearOverrides{})})
    EXPECT_EQ(step_label(command, document, document), command_label(command));
}

}  // namespace
}  // namespace lab
