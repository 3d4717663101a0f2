// Several sentences over the same weights: going to another one and back changes nothing, and
// padding does not change what a sentence computes.
#include <gmock/gmock.h>

#include "app/document/history/history.h"
#include "app/tests/document/samples.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

using attention::Index;
using attention::Stage;
using samples::after;
using samples::fingerprint;
using samples::full_trace;
using samples::message_after;
using samples::small_document;
using ::testing::HasSubstr;

// "the cat saw the dog ." with an override, a painted mask and a score bias on its words.
Document edited_document() {
  Document document = small_document();
  document = after(document, SetOverride{{Stage::kScores, 1, 1, 3}, 7});
  document = after(document, SetCell{samples::kMask, 2, 0, 0});
  document = after(document, SetCell{samples::kScoreBias, 4, 1, 0.5f});
  return after(document, SetCell{{MatrixId::kX, 0}, 1, 2, 42});
}

// Three sentences, the last of which is shown.
Document batch_of_three() {
  Document document = after(edited_document(), AddSentence{"the cat sat"});
  return after(document, AddSentence{"a dog saw the cat and the other dog"});
}

std::string sentence_of(const Document& document) {
  Document alone = document;
  alone.batch = {};
  return fingerprint(alone);
}

TEST(Batch, GoingAwayAndBackChangesNothing) {
  const Document document = batch_of_three();
  ASSERT_EQ(document.batch.sentences.size(), 3U);
  EXPECT_EQ(document.batch.current, 2U);
  const Document first = after(document, GoToSentence{0});
  EXPECT_EQ(sentence_of(first), sentence_of(edited_document()));
  const Document again = after(after(first, GoToSentence{1}), GoToSentence{0});
  EXPECT_EQ(sentence_of(again), sentence_of(first));
}

TEST(Batch, WhatBelongsToOneSentenceIsNotSeenInAnother) {
  const Document other = after(batch_of_three(), GoToSentence{1});
  EXPECT_EQ(other.sentence, "the cat sat");
  EXPECT_TRUE(other.problem.overrides.empty());
  EXPECT_TRUE(other.problem.allowed.empty());
  EXPECT_TRUE(other.problem.bias.empty());
  EXPECT_EQ((*other.problem.embedding)(1, 2), 42) << "words are shared";
}

TEST(Batch, EqualWordsWithVectorsOfTheirOwnKeepThem) {
  Document document = small_document();
  Lexicon rows = *document.lexicon;
  rows["the@3"] = attention::RowVector::Constant(document.problem.config.d_model, 7);
  document.lexicon = std::make_shared<const Lexicon>(std::move(rows));
  document.tokens[3].key = "the@3";
  document.problem.embedding = attention::SharedMatrix(embed_tokens(document));
  const Document again = after(after(document, AddSentence{"the cat sat"}), GoToSentence{0});
  EXPECT_EQ(*again.problem.embedding, *document.problem.embedding);
}

TEST(Batch, ANewSentenceHasTheSameSecondOne) {
  const Document document = samples::file_document();
  const Document again = after(document, AddSentence{"the cat sat"});
  EXPECT_EQ(again.kv_sentence, document.kv_sentence);
  EXPECT_EQ(*again.problem.embedding_kv, *document.problem.embedding_kv);
}

TEST(Batch, WeightsAreShared) {
  const Document document = after(batch_of_three(), samples::edit_of_W_Q(9));
  const Document first = after(document, GoToSentence{0});
  EXPECT_TRUE(
      first.problem.parameters.heads[1].W_Q.same_as(document.problem.parameters.heads[1].W_Q));
}

TEST(Batch, EditsOfASentenceStayWithIt) {
  Document document = after(batch_of_three(), GoToSentence{1});
  document = after(document, SetSentence{"the cat sat down"});
  document = after(document, SetOverride{{Stage::kWeights, 0, 3, 0}, 1});
  const std::string before = sentence_of(document);
  document = after(after(document, GoToSentence{2}), GoToSentence{1});
  EXPECT_EQ(sentence_of(document), before);
}

TEST(Batch, RemovingLeadsToTheNextAndTheLastOneLeftIsAlone) {
  Document document = after(batch_of_three(), GoToSentence{0});
  document = after(document, RemoveSentence{});
  EXPECT_EQ(document.sentence, "the cat sat");
  document = after(after(document, GoToSentence{1}), RemoveSentence{});
  EXPECT_EQ(document.sentence, "the cat sat");
  EXPECT_TRUE(document.batch.sentences.empty());
  EXPECT_THAT(message_after(document, RemoveSentence{}), HasSubstr("only sentence"));
}

TEST(Batch, UndoLeadsBackToTheSentence) {
  History history(edited_document());
  const std::string before = fingerprint(history.document());
  ASSERT_TRUE(history.preview(AddSentence{"one more"}) && history.commit());
  ASSERT_TRUE(history.preview(GoToSentence{0}) && history.commit());
  EXPECT_EQ(history.document().sentence, edited_document().sentence);
  history.undo();
  EXPECT_EQ(history.document().sentence, "one more");
  history.undo();
  EXPECT_EQ(fingerprint(history.document()), before);
  EXPECT_TRUE(history.document().batch.sentences.empty());
}

TEST(Batch, PaddingMakesAllAsLongAsTheLongestAndChangesNoResult) {
  const Document plain = after(batch_of_three(), GoToSentence{1});
  const Document padded = after(plain, SetPadding{true});
  EXPECT_EQ(padded.problem.seq_len(), 9);
  EXPECT_EQ(padded.problem.config.mask.key_count, 3);
  EXPECT_TRUE(padded.problem.embedding->bottomRows(6).isZero(0));
  const attention::Trace a = full_trace(plain), b = full_trace(padded);
  for (std::size_t head = 0; head < a.heads.size(); ++head) {
    const auto& weights = *b.heads[head].weights;
    EXPECT_TRUE(weights.topLeftCorner(3, 3).isApprox(*a.heads[head].weights, 1e-6f));
    EXPECT_TRUE(weights.rightCols(6).isZero(0)) << "nobody attends to padding";
  }
  EXPECT_TRUE(b.output->topRows(3).isApprox(*a.output, 1e-5f));
}

TEST(Batch, TheRuleOfTheFirstKeysHoldsWithPadding) {
  Document document = after(batch_of_three(), SetMask{.key_count = 2});
  document = after(document, SetPadding{true});
  EXPECT_EQ(document.problem.config.mask.key_count, 2);
  EXPECT_EQ(after(document, GoToSentence{1}).problem.config.mask.key_count, 2);
  document = after(document, SetMask{.key_count = 4});
  EXPECT_EQ(after(document, GoToSentence{1}).problem.config.mask.key_count, 3) << "no padding";
  EXPECT_EQ(after(document, GoToSentence{2}).problem.config.mask.key_count, 4);
  document = after(document, SetMask{.key_count = 0});
  EXPECT_EQ(after(document, GoToSentence{1}).problem.config.mask.key_count, 3);
  document = after(after(document, SetMask{.key_count = 4}), SetPadding{false});
  EXPECT_EQ(document.problem.config.mask.key_count, 4) << "as it was";
}

TEST(Batch, EverySentenceIsPaddedUntilPaddingEnds) {
  Document document = after(batch_of_three(), SetPadding{true});
  EXPECT_EQ(document.problem.seq_len(), 9) << "the longest one";
  EXPECT_EQ(document.problem.config.mask.key_count, 9);
  document = after(document, GoToSentence{0});
  EXPECT_EQ(document.problem.seq_len(), 9);
  document = after(document, SetSentence{"the cat saw"});
  EXPECT_EQ(document.problem.seq_len(), 9);
  EXPECT_EQ(document.problem.config.mask.key_count, 3);
  document = after(document, SetPadding{false});
  EXPECT_EQ(document.problem.seq_len(), 3);
  EXPECT_EQ(document.problem.config.mask.key_count, 0);
}

TEST(Batch, HasAtMostSixtyFourSentences) {
  Document document = small_document();
  for (std::size_t i = 1; i < kMostSentences; ++i)
    document = after(document, AddSentence{"the cat"});
  EXPECT_THAT(message_after(document, AddSentence{"the cat"}), HasSubstr("at most 64"));
  EXPECT_THAT(message_after(document, GoToSentence{64}), HasSubstr("no sentence 65"));
  EXPECT_THAT(message_after(small_document(), AddSentence{" "}), HasSubstr("empty"));
}

TEST(Batch, AnotherSplittingSplitsAllOfThem) {
  Document document = after(batch_of_three(), SetTokenMode{TokenMode::kCharacters});
  document = after(document, GoToSentence{1});
  EXPECT_EQ(document.problem.seq_len(), 9);
  EXPECT_EQ(document.sentence, "the cat sat");
}

}  // namespace
}  // namespace lab
