// What stands on words in the window follows them through edits of the sentence.
#include <gmock/gmock.h>

#include "app/files/open.h"
#include "app/files/session/session.h"
#include "app/tests/rooms.h"
#include "app/tests/view/screen.h"
#include "app/view/session/view_memory.h"

namespace lab {
namespace {

using attention::CellRef;
using attention::Index;
using attention::Stage;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

Index token(const Screen& screen, const std::string& word) {
  const auto found = std::ranges::find(screen.document().tokens, word, &Token::text);
  EXPECT_NE(found, screen.document().tokens.end()) << word;
  return found - screen.document().tokens.begin();
}

class FollowWordsInView : public ::testing::Test {
 protected:
  void apply(const Command& command) {
    screen.workspace.queue(intent::Apply{command});
    screen.frames(2);
  }
  // Replaces `word`, which may be several.
  void replace(const std::string& word, const std::string& by) {
    std::string text = screen.workspace.edited().sentence;
    text.replace(text.find(word), word.size(), by);
    apply(SetSentence{text});
  }
  CellRef cell(const char* stage, const std::string& row, const std::string& col) const {
    return {stage, 0, token(screen, row), token(screen, col)};
  }
  ViewState& state() { return screen.view.state(); }

  Screen screen{*open_document("refer")};
};

TEST_F(FollowWordsInView, TheSelectionAndTheCursorStayOnTheirWords) {
  screen.frames(2);
  state().selection = {Stage::kScores, token(screen, "it"), token(screen, "animal"), 0};
  state().edit.matrix = MatrixId::kMask;
  state().edit.cursor = {token(screen, "it"), token(screen, "animal")};
  replace("The", "The very old");
  EXPECT_EQ(state().selection.query, token(screen, "it"));
  EXPECT_EQ(state().selection.key, token(screen, "animal"));
  EXPECT_EQ(state().edit.cursor.row, token(screen, "it"));
  EXPECT_EQ(state().edit.cursor.col, token(screen, "animal"));
  replace("animal", "dog");
  EXPECT_EQ(state().selection.key, token(screen, "dog")) << "the word in its place";
}

TEST_F(FollowWordsInView, PinsStayOnTheirWordsAndReturnWithThem) {
  screen.frames(2);
  state().inspection.pins = {cell("scores", "it", "animal"), cell("weights", "it", "it")};
  replace("The", "The very old");
  const std::vector<CellRef> both = {cell("scores", "it", "animal"), cell("weights", "it", "it")};
  EXPECT_EQ(state().inspection.pins, both);
  replace("animal", "dog");
  EXPECT_EQ(state().inspection.pins, std::vector({cell("weights", "it", "it")}));
  EXPECT_THAT(state().detached.text, HasSubstr("“animal”: pin scores, head 1 · it, animal"));
  replace("dog", "animal");
  EXPECT_THAT(state().inspection.pins, ::testing::UnorderedElementsAreArray(both));
  EXPECT_FALSE(screen.shows("detached"));
}

TEST_F(FollowWordsInView, EverythingComesBackWhenTheSentenceIsTypedAgain) {
  const auto place = [&](const char* word) { return static_cast<int>(token(screen, word)); };
  screen.frames(2);
  apply(SetOverride{{Stage::kScores, 0, place("it"), place("animal")}, 4});
  apply(SetCell{{MatrixId::kMask}, place("it"), place("was"), 0});
  apply(SetCell{{MatrixId::kScoreBias}, place("it"), place("tired"), 2});
  state().selection = {Stage::kScores, token(screen, "it"), token(screen, "animal"), 0};
  state().inspection.pins = {cell("scores", "it", "animal"), cell("weights", "tired", "was")};
  screen.frames(2);
  const std::size_t visits = state().inspection.trail.visits.size();
  screen.key(Key::kA, true);
  screen.type("animal was it tired");
  screen.frames(2);
  ASSERT_EQ(screen.document().sentence, "animal was it tired");
  EXPECT_EQ(state().selection, (Selection{Stage::kScores, 2, 0, 0}));
  EXPECT_EQ(state().inspection.trail.visits.size(), visits) << "no other cell was visited";
  EXPECT_THAT(state().inspection.pins,
              UnorderedElementsAre(CellRef{"scores", 0, 2, 0}, CellRef{"weights", 0, 3, 1}));
  const attention::Problem& problem = screen.document().problem;
  ASSERT_EQ(problem.overrides.size(), 1u);
  EXPECT_EQ(problem.overrides[0].row, 2);
  EXPECT_EQ(problem.overrides[0].col, 0);
  EXPECT_EQ((*problem.allowed)(2, 1), 0);
  EXPECT_EQ((*problem.bias)(2, 3), 2);
  EXPECT_FALSE(screen.shows("detached")) << "nothing is missing";
}

TEST_F(FollowWordsInView, ASelectionThatWasMadeMeanwhileStays) {
  screen.frames(2);
  state().selection = {Stage::kScores, token(screen, "it"), token(screen, "animal"), 0};
  replace("animal", "dog");
  state().selection.key = token(screen, "was");
  replace("dog", "animal");
  EXPECT_EQ(state().selection.key, token(screen, "was"));
}

TEST_F(FollowWordsInView, AFileKeepsPinsThatAreDetached) {
  screen.frames(2);
  const CellRef pin = cell("scores", "it", "animal");
  state().inspection.pins = {pin};
  replace("animal", "dog");
  ASSERT_TRUE(state().inspection.pins.empty());
  const std::string saved = files::write_session(screen.document(), view_of(state()));
  auto opened = files::read_whole_session(saved);
  ASSERT_TRUE(opened);
  state().requests.ask(request::ShowView{*opened->view});
  screen.workspace.queue(intent::Replace{opened->document, {}});
  screen.frames(3);
  EXPECT_TRUE(state().inspection.pins.empty());
  replace("dog", "animal");
  EXPECT_EQ(state().inspection.pins, std::vector({pin}));
}

TEST_F(FollowWordsInView, VisitedCellsAndTheSummarisedBlockFollow) {
  screen.frames(2);
  state().selection = {Stage::kScores, token(screen, "it"), token(screen, "animal"), 0};
  screen.frames(2);
  const std::size_t here = state().inspection.trail.here;
  state().inspection.block = {Stage::kScores,
                              {token(screen, "it"), token(screen, "The")},
                              {token(screen, "it"), token(screen, "animal")}};
  replace("The", "Oh, the");
  EXPECT_EQ(state().inspection.trail.here, here) << "no other cell was visited";
  EXPECT_EQ(state().inspection.trail.visits[here].cell, cell("scores", "it", "animal"));
  ASSERT_TRUE(state().inspection.block);
  EXPECT_EQ(state().inspection.block->from.col, token(screen, "animal")) << "“The” is gone";
  EXPECT_EQ(state().inspection.block->to.col, token(screen, "animal"));
}

TEST_F(FollowWordsInView, AMessageStaysUntilItIsAnswered) {
  apply(SetOverride{{Stage::kScores, 0, static_cast<int>(token(screen, "it")), 1}, 4});
  EXPECT_FALSE(screen.shows("detached"));
  replace("animal", "anima");
  ASSERT_TRUE(screen.shows("detached"));
  EXPECT_THAT(state().detached.text,
              HasSubstr("“animal”: override scores, head 1 · it, animal = 4"));
  replace("anima", "dog");
  ASSERT_TRUE(screen.shows("detached")) << "typing goes on";
  screen.click("detached/ok");
  screen.frames(2);
  EXPECT_FALSE(screen.shows("detached"));
  replace("dog", "cat");
  EXPECT_FALSE(screen.shows("detached")) << "it was told already";
}

TEST_F(FollowWordsInView, TheHistoryNotesItBesideALongName) {
  apply(SetOverride{{Stage::kScores, 0, static_cast<int>(token(screen, "it")), 1}, 4});
  apply(SetSentence{"A sentence of many words that has nothing of what was there"});
  screen.key(Key::kH, true);
  screen.frames(2);
  EXPECT_FALSE(screen.shows("history/1/note"));
  ASSERT_TRUE(screen.shows("history/2/note"));
  EXPECT_GT(screen.place("history/2/note").w, 100);
}

TEST_F(FollowWordsInView, TheMessageEndsWithAnotherEdit) {
  apply(SetOverride{{Stage::kScores, 0, static_cast<int>(token(screen, "it")), 1}, 4});
  replace("animal", "dog");
  ASSERT_TRUE(screen.shows("detached"));
  apply(SetScale{false});
  EXPECT_FALSE(screen.shows("detached"));
}

TEST_F(FollowWordsInView, TheMessageCanUndoTheEdit) {
  const int it = static_cast<int>(token(screen, "it"));
  apply(SetOverride{{Stage::kScores, 0, it, 1}, 4});
  const std::string sentence = screen.document().sentence;
  replace("animal", "");
  replace("didn't", "did not");
  screen.click("detached/undo");
  screen.frames(2);
  EXPECT_EQ(screen.document().sentence, sentence);
  EXPECT_EQ(screen.document().problem.overrides.size(), 1u);
  EXPECT_FALSE(screen.shows("detached"));
}

TEST_F(FollowWordsInView, AnUndoThatDetachesAgainSaysNothing) {
  apply(SetOverride{{Stage::kScores, 0, static_cast<int>(token(screen, "it")), 1}, 4});
  replace("animal", "dog");
  screen.click("detached/ok");
  screen.frames(2);
  apply(SetScale{false});
  replace("dog", "animal");
  ASSERT_EQ(screen.document().problem.overrides.size(), 1u);
  screen.key(Key::kZ, true);
  screen.frames(2);
  ASSERT_TRUE(screen.document().problem.overrides.empty());
  EXPECT_FALSE(screen.shows("detached")) << "redo brings it back, no undo does";
}

TEST_F(FollowWordsInView, TypingGoesOnAfterTheMessage) {
  apply(SetOverride{{Stage::kScores, 0, static_cast<int>(token(screen, "it")), 1}, 4});
  replace("animal", "dog");
  screen.click("detached/ok");
  screen.frames(2);
  const std::string before = screen.document().sentence;
  screen.key(Key::kEnd);
  screen.type(" king");
  screen.frames(3);
  EXPECT_EQ(screen.document().sentence, before + " king");
}

TEST_F(FollowWordsInView, ASmallerSizeSaysWhichNumbersItDropped) {
  apply(SetSize{SizeId::kHeads, 2});
  ASSERT_TRUE(screen.shows("detached"));
  EXPECT_THAT(state().detached.text, HasSubstr("W_Q of head 3"));
  apply(SetSize{SizeId::kHeads, 3});
  ASSERT_TRUE(screen.shows("detached")) << "the numbers are new ones";
  screen.click("detached/undo");
  screen.frames(2);
  EXPECT_FALSE(screen.shows("detached"));
  EXPECT_FALSE(screen.workspace.history().can_undo());
}

TEST_F(FollowWordsInView, ASmallerSizeThatIsUndoneSaysNothing) {
  apply(SetSize{SizeId::kDModel, 12});
  EXPECT_FALSE(screen.shows("detached")) << "nothing was dropped";
  screen.key(Key::kZ, true);
  screen.frames(2);
  EXPECT_FALSE(screen.shows("detached"));
  apply(SetSize{SizeId::kDModel, 4});
  ASSERT_TRUE(screen.shows("detached"));
  screen.key(Key::kZ, true);
  screen.frames(2);
  EXPECT_FALSE(screen.shows("detached"));
}

TEST_F(FollowWordsInView, ASecondSentenceSharesTheVectorsOfEqualWords) {
  screen.frames(2);
  screen.click("button/source");
  screen.frames(2);
  screen.click("source/second");
  screen.frames(2);
  EXPECT_EQ(*screen.document().problem.embedding_kv, *screen.document().problem.embedding);
  screen.click("button/shared_words");
  screen.frames(2);
  screen.click("shared_words/off");
  screen.frames(2);
  EXPECT_FALSE(screen.document().shared_tokens);
  apply(SetCell{{MatrixId::kX}, 1, 0, 5});
  EXPECT_NE((*screen.document().problem.embedding_kv)(1, 0), 5);
  screen.click("button/shared_words");
  screen.frames(2);
  screen.click("shared_words/on");
  screen.frames(2);
  EXPECT_EQ((*screen.document().problem.embedding_kv)(1, 0), 5);
}

TEST_F(FollowWordsInView, ATypedWordIsAsLargeAsTheOthers) {
  screen.frames(2);
  const double default_value = screen.document().problem.embedding->norm();
  const auto count = static_cast<double>(screen.document().tokens.size());
  screen.type(" yesterday");
  screen.frames(2);
  const Document& document = screen.document();
  ASSERT_EQ(document.tokens.back().text, "yesterday");
  const double size = document.problem.embedding->bottomRows(1).norm();
  EXPECT_NEAR(size, default_value / std::sqrt(count), 0.6 * default_value / std::sqrt(count));
  EXPECT_LT(screen.workspace.trace().heads[0].weights->bottomRows(1).maxCoeff(), 0.9f)
      << "its softmax is not saturated";
}

TEST_F(FollowWordsInView, AWordOfTheSecondSentenceIsAsLargeAsTheOthers) {
  screen.frames(2);
  screen.click("button/source");
  screen.frames(2);
  screen.click("source/second");
  screen.frames(2);
  screen.click("kv_sentence");
  screen.key(Key::kEnd);
  screen.type(" yesterday");
  screen.frames(2);
  const Document& document = screen.document();
  ASSERT_EQ(document.kv_tokens.back().text, "yesterday");
  const auto rows = document.problem.embedding_kv->rowwise().norm();
  EXPECT_NEAR(rows.tail(1)(0), rows.mean(), 0.6 * rows.mean());
  float most = 0;
  for (const attention::HeadTrace& head : screen.workspace.trace().heads)
    most = std::max(most, head.weights->rightCols(1).maxCoeff());
  EXPECT_LT(most, 0.9f) << "no softmax is saturated by the new word";
}

}  // namespace
}  // namespace lab
