#include "app/document/history/history.h"

#include <gtest/gtest.h>

#include "app/tests/document/samples.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

using samples::edit_of_W_Q;
using samples::fingerprint;
using samples::small_document;

float shown(const History& history) {
  return (*matrix_of(history.document(), {MatrixId::kWQ, 1}))(0, 0);
}

void step(History& history, const Command& command) {
  ASSERT_TRUE(history.preview(command));
  ASSERT_TRUE(history.commit());
}

void type(History& history, const std::string& text) {
  ASSERT_TRUE(history.preview(SetSentence{text}));
  ASSERT_TRUE(history.commit_merged("typing"));
}

TEST(History, NotesWhatAStepDetached) {
  History history(small_document());
  step(history, SetCell{samples::kMask, 0, 1, 0});
  step(history, SetOverride{{attention::Stage::kScores, 0, 1, 1}, 3});
  for (const char* text : {"the ca", "the c", "the cow"}) type(history, text);
  EXPECT_EQ(history.entry_note(0), "");
  EXPECT_EQ(history.entry_note(1), "");
  EXPECT_EQ(history.entry_note(3), "detached with “cat”: 1 override, 1 mask cell");
  type(history, "the cat");
  EXPECT_EQ(history.entry_note(3), "") << "the same run of typing brought it back";
}

TEST(History, MakesOneStepOfADrag) {
  const std::string kHundred = "W_Q of head 2, row 0, column 0: 0.5712 → 100";
  History history(small_document());
  for (int frame = 1; frame <= 100; ++frame) {
    ASSERT_TRUE(history.preview(edit_of_W_Q(static_cast<float>(frame))));
    EXPECT_EQ(shown(history), static_cast<float>(frame));
    EXPECT_FALSE(history.can_undo());
  }
  const auto committed = history.commit();
  EXPECT_EQ(to_json_line(committed.value()), to_json_line(edit_of_W_Q(100)));
  EXPECT_FALSE(history.previewing());
  EXPECT_EQ(history.undo_label(), kHundred);
  EXPECT_TRUE(history.undo());
  EXPECT_FALSE(history.can_undo());
  EXPECT_EQ(history.redo_label(), kHundred);
}

TEST(History, PreviewsOnTheCommittedStateAndNotOnEachOther) {
  History history(small_document());
  ASSERT_TRUE(history.preview(edit_of_W_Q(5)));
  ASSERT_TRUE(history.preview(SetScale{false}));
  EXPECT_NE(shown(history), 5.0f);
}

TEST(History, ReusesTheResultOfACommandThatWasTried) {
  History history(small_document());
  const Attempt tried = history.attempt(edit_of_W_Q(5)).value();
  EXPECT_FALSE(history.previewing());
  ASSERT_TRUE(history.preview(edit_of_W_Q(5), tried));
  EXPECT_EQ(&history.document(), tried.after.get()) << "it is not applied again";
  ASSERT_TRUE(history.commit());
  EXPECT_EQ(shown(history), 5.0f);
}

TEST(History, AppliesAgainWhatWasTriedOnAnotherState) {
  History history(small_document());
  const Attempt tried = history.attempt(edit_of_W_Q(5)).value();
  step(history, SetScale{false});
  ASSERT_TRUE(history.preview(edit_of_W_Q(5), tried));
  EXPECT_EQ(shown(history), 5.0f);
  EXPECT_FALSE(history.document().problem.config.scale);
}

TEST(History, SaysWhyACommandIsRefused) {
  const History history(small_document());
  EXPECT_EQ(history.attempt(SetSentence{""}).error().message,
            "The sentence is empty: type at least one word.");
}

TEST(History, CancelGoesBackToTheCommittedState) {
  const Document start = small_document();
  History history(start);
  ASSERT_TRUE(history.preview(edit_of_W_Q(5)));
  history.cancel();
  EXPECT_TRUE(same_document(history.document(), start));
  EXPECT_FALSE(history.commit());
  EXPECT_FALSE(history.can_undo());
}

TEST(History, FailedPreviewLeavesTheEarlierOne) {
  History history(small_document());
  ASSERT_TRUE(history.preview(edit_of_W_Q(5)));
  EXPECT_FALSE(history.preview(SetSentence{""}));
  EXPECT_EQ(shown(history), 5.0f);
  EXPECT_TRUE(history.commit());
}

TEST(History, UndoAndRedoReturnTheSameHandles) {
  const Document start = small_document();
  History history(start);
  step(history, edit_of_W_Q(5));
  const Document edited = history.document();
  step(history, SetSize{SizeId::kDModel, 9});
  ASSERT_TRUE(history.undo());
  EXPECT_TRUE(same_document(history.document(), edited));
  ASSERT_TRUE(history.undo());
  EXPECT_TRUE(same_document(history.document(), start));
  EXPECT_FALSE(history.undo());
  ASSERT_TRUE(history.redo());
  EXPECT_TRUE(same_document(history.document(), edited));
}

TEST(History, UndoDiscardsThePreviewToo) {
  History history(small_document());
  step(history, edit_of_W_Q(5));
  ASSERT_TRUE(history.preview(edit_of_W_Q(6)));
  ASSERT_TRUE(history.undo());
  EXPECT_FALSE(history.previewing());
  EXPECT_NE(shown(history), 5.0f);
  EXPECT_NE(shown(history), 6.0f);
}

TEST(History, ANewStepDiscardsWhatCouldBeRedone) {
  History history(small_document());
  step(history, edit_of_W_Q(5));
  ASSERT_TRUE(history.undo());
  step(history, edit_of_W_Q(7));
  EXPECT_FALSE(history.can_redo());
  EXPECT_EQ(shown(history), 7.0f);
}

TEST(History, AnEditThatChangesNothingIsNoStep) {
  History history(small_document());
  step(history, edit_of_W_Q(5));
  ASSERT_TRUE(history.undo());
  ASSERT_TRUE(history.preview(SetScale{true}));
  EXPECT_FALSE(history.commit());
  EXPECT_FALSE(history.can_undo());
  EXPECT_TRUE(history.can_redo());
  EXPECT_FALSE(history.previewing());
}

TEST(History, MergesARunOfTypingIntoOneStep) {
  const Document start = small_document();
  History history(start);
  for (const char* text : {"a", "a c", "a ca", "a cat"}) type(history, text);
  EXPECT_EQ(history.undo_commands(), 4u);
  ASSERT_TRUE(history.undo());
  EXPECT_TRUE(same_document(history.document(), start));
  EXPECT_EQ(history.redo_commands(), 4u);
  ASSERT_TRUE(history.redo());
  EXPECT_EQ(history.document().sentence, "a cat");
}

TEST(History, DoesNotMergeAcrossOtherStepsOrUndo) {
  History history(small_document());
  type(history, "a");
  step(history, edit_of_W_Q(5));
  type(history, "a b");
  ASSERT_TRUE(history.undo());
  EXPECT_EQ(history.document().sentence, "a");
  EXPECT_EQ(shown(history), 5.0f);
  ASSERT_TRUE(history.undo());
  type(history, "c");  // after an undo: a separate step
  ASSERT_TRUE(history.undo());
  EXPECT_EQ(history.document().sentence, "a");
}

TEST(History, StateIdDistinguishesStates) {
  History history(small_document());
  const std::size_t start = history.state_id();
  type(history, "a");
  const std::size_t typed = history.state_id();
  type(history, "ab");
  EXPECT_NE(history.state_id(), typed);
  ASSERT_TRUE(history.undo());
  EXPECT_EQ(history.state_id(), start);
  type(history, "a");
  EXPECT_NE(history.state_id(), typed);
}

// A sentence of a word for each keystroke, up to that many of them.
std::string typed_until(int keystrokes) {
  const std::size_t words = static_cast<std::size_t>(keystrokes) % 40 + 1;
  return std::string(words, 'a') + std::to_string(keystrokes);
}

TEST(History, TypingForLongIsOneStepThatDiscardsNothing) {
  const Document start = small_document();
  History history(start);
  step(history, edit_of_W_Q(5));
  const int keystrokes = static_cast<int>(History::kMostSteps) + 400;
  for (int i = 0; i < keystrokes; ++i) type(history, typed_until(i));
  EXPECT_EQ(history.undo_commands(), static_cast<std::size_t>(keystrokes)) << "undo lines";
  ASSERT_TRUE(history.undo());
  EXPECT_EQ(history.document().sentence, start.sentence);
  EXPECT_EQ(shown(history), 5.0f);
  ASSERT_TRUE(history.undo());
  EXPECT_TRUE(same_document(history.document(), start));
  EXPECT_FALSE(history.has_discarded());
}

TEST(History, DiscardsTheOldestSteps) {
  const int extra = 50, kept = static_cast<int>(History::kMostSteps);
  History history(small_document());
  for (int i = 0; i < kept + extra; ++i) {
    step(history, edit_of_W_Q(static_cast<float>(i)));
    EXPECT_EQ(history.has_discarded(), i >= kept) << i;
  }
  int undone = 0;
  while (history.undo()) ++undone;
  EXPECT_EQ(undone, kept);
  EXPECT_EQ(shown(history), static_cast<float>(extra - 1));
  while (history.redo()) {
  }
  EXPECT_EQ(shown(history), static_cast<float>(kept + extra - 1));
}

TEST(History, TakesABoundedAmountOfMemory) {
  // W_O has 6 × 6 numbers, 144 bytes; each step holds one of its own.
  History history(small_document(), 16 * 144);
  for (int i = 1; i <= 20; ++i) {
    step(history, SetCell{{MatrixId::kWO, 0}, 0, 0, static_cast<float>(i)});
  }
  int undone = 0;
  while (history.undo()) ++undone;
  EXPECT_EQ(undone, 16);
}

TEST(History, AlwaysKeepsTheNewestStep) {
  History history(small_document(), 0);
  step(history, edit_of_W_Q(5));
  step(history, edit_of_W_Q(6));
  ASSERT_TRUE(history.undo());
  EXPECT_EQ(shown(history), 5.0f);
  EXPECT_FALSE(history.undo());
}

TEST(History, CopiesShareTheirDocuments) {
  History history(small_document());
  step(history, edit_of_W_Q(5));
  History copy = history;
  step(copy, edit_of_W_Q(6));
  EXPECT_EQ(shown(history), 5.0f);
  EXPECT_FALSE(history.can_redo());
  ASSERT_TRUE(copy.undo());
  EXPECT_EQ(&copy.document(), &history.document());
}

TEST(History, ListsItsStatesByWhatLedThere) {
  History history(samples::small_document());
  for (const char* label : {"one", "two", "three"}) {
    ASSERT_TRUE(history.preview(SetCell{{MatrixId::kWO, 0}, 0, 0, float(label[1])}));
    history.commit([label] { return std::string(label); });
  }
  history.undo();
  std::vector<std::string> labels;
  for (const HistoryEntry& entry : history.entries())
    labels.push_back(entry.label ? entry.label() : "");
  EXPECT_EQ(labels, (std::vector<std::string>{"", "one", "two", "three"}));
  EXPECT_EQ(history.entries()[2].state, history.state_id());
}

}  // namespace
}  // namespace lab
