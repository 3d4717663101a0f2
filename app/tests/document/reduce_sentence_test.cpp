#include <gmock/gmock.h>

#include "app/tests/document/samples.h"
#include "app/tests/rooms.h"
#include "core/embedding.h"

namespace lab {
namespace {

using attention::Matrix;
using samples::after;
using samples::file_document;
using samples::message_after;
using samples::small_document;
using ::testing::HasSubstr;

std::string repeated(const std::string& word, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += word;
  return text;
}

std::vector<std::string> keys(const Document& document) {
  std::vector<std::string> keys;
  for (const Token& token : document.tokens) keys.push_back(token.key);
  return keys;
}

Document tiny_model() {
  return make_document("a", {.d_model = 1, .d_k = 1, .d_v = 1, .d_out = 1, .mask = {}}, 1);
}

TEST(SetSentence, AnotherSentenceGivesUpTheTitle) {
  const auto title_after = [](Document document, std::vector<std::string> typed) {
    document.title = "What does it refer to?";
    for (const std::string& text : typed) document = after(document, SetSentence{text});
    return document.title;
  };
  const Document document = small_document();
  const std::string start = document.sentence;
  EXPECT_NE(title_after(document, {start + " today", "Oh " + start}), "");
  EXPECT_EQ(title_after(document, {"z"}), "");
  EXPECT_EQ(title_after(document, {"z", start}), "") << "it was not undone";
  const Document one = after(document, SetSentence{"one"});
  EXPECT_NE(title_after(one, {"ones", "once"}), "");
  EXPECT_EQ(title_after(one, {"two x"}), "");
}

TEST(SetSentence, ReplacesTokensAndEmbeddingsOnly) {
  const Document before = small_document();
  const Document changed = after(before, SetSentence{"a dog"});
  EXPECT_EQ(changed.sentence, "a dog");
  EXPECT_THAT(keys(changed), ::testing::ElementsAre("a", "dog"));
  EXPECT_EQ(*changed.problem.embedding, embed_tokens(changed));
  EXPECT_EQ(changed.problem.embedding->row(1), before.problem.embedding->row(4));
  EXPECT_TRUE(changed.problem.parameters.W_O.same_as(before.problem.parameters.W_O));
  EXPECT_EQ(changed.lexicon, before.lexicon);
}

TEST(SetSentence, KeepsTheIdentityOfXWhenTokensStay) {
  const Document before = small_document();
  const Document changed = after(before, SetSentence{"the  cat saw the dog ."});
  EXPECT_FALSE(same_document(before, changed));
  EXPECT_TRUE(same_problem(before.problem, changed.problem));
  EXPECT_TRUE(same_document(before, after(before, SetSentence{before.sentence})));
}

TEST(SetSentence, RestoresEditedWords) {
  const Document before = after(small_document(), SetCell{{MatrixId::kX, 0}, 1, 2, 42.0f});
  const Document without = after(before, SetSentence{"the dog"});
  const Document again = after(without, SetSentence{"a cat"});
  EXPECT_EQ(again.problem.embedding->row(1), before.problem.embedding->row(1));
  EXPECT_EQ((*again.problem.embedding)(1, 2), 42.0f);
}

TEST(SetSentence, KeepsTheKeysOfWordsThatStay) {
  Document document = file_document();  // the cat saw the(2) dog .
  document = after(document, SetSentence{"the cat saw the dogs."});
  EXPECT_THAT(keys(document), ::testing::ElementsAre("the", "cat", "saw", "the (2)", "dogs", "."));
  document = after(document, SetSentence{"dogs saw the dogs."});
  EXPECT_THAT(keys(document), ::testing::ElementsAre("dogs", "saw", "the (2)", "dogs", "."));
  document = after(document, SetSentence{"the the the"});
  EXPECT_THAT(keys(document), ::testing::ElementsAre("the (2)", "the", "the"));
}

TEST(SetSentence, ChangesOnlyWhatStandsOnItsWords) {
  Document before = file_document();
  before.problem.config.mask.causal = true;
  const Document same_words = after(before, SetSentence{"the cat  saw the dog."});
  EXPECT_TRUE(same_words.problem.allowed.same_as(before.problem.allowed));
  EXPECT_TRUE(same_words.problem.bias.same_as(before.problem.bias));
  const Document shorter = after(before, SetSentence{"one cat"});
  EXPECT_EQ(shorter.problem.bias->row(1), before.problem.bias->row(1)) << "cat";
  EXPECT_TRUE(shorter.problem.bias->row(0).isZero()) << "a new word";
  EXPECT_TRUE(shorter.problem.config.mask.causal);
  EXPECT_TRUE(shorter.problem.embedding_kv.same_as(before.problem.embedding_kv));
  EXPECT_NO_THROW(attention::validate(shorter.problem));
}

TEST(SetSentence, RefusesAnEmptyOne) {
  for (const char* text : {"", " \n\t", "\u00A0\u200B"}) {
    EXPECT_EQ(message_after(small_document(), SetSentence{text}),
              "The sentence is empty: type at least one word.");
  }
}

TEST(SetSentence, AcceptsOneTokenAndAsManyAsFit) {
  EXPECT_EQ(after(small_document(), SetSentence{"x"}).problem.seq_len(), 1);
  EXPECT_EQ(after(small_document(), SetSentence{repeated("ab ", 2000)}).problem.seq_len(), 2000);
  EXPECT_EQ(after(tiny_model(), SetSentence{repeated("ab ", 2048)}).problem.seq_len(), 2048);
  EXPECT_EQ(message_after(tiny_model(), SetSentence{repeated("ab ", 2049)}),
            "2,049 tokens are more than the 2,048 that fit; shorten the sentence");
}

TEST(SetSentence, RefusesMoreScoresThanFit) {
  const Document heads = after(tiny_model(), SetSize{SizeId::kHeads, 17});
  const std::string message = message_after(heads, SetSentence{repeated("ab ", 2000)});
  EXPECT_THAT(message, HasSubstr("17 heads × 2,000 × 2,000 tokens"));
  EXPECT_THAT(message, HasSubstr("67,108,864"));
}

TEST(SetSentence, RefusesHugeTextsBeforeSplittingThem) {
  const std::string message =
      message_after(small_document(), SetSentence{std::string(kLongestSentence + 1, ' ')});
  EXPECT_THAT(message, HasSubstr("65,537 bytes"));
  EXPECT_EQ(after(small_document(), SetSentence{std::string(kLongestSentence, 'a')}).tokens.size(),
            1u);
}

TEST(SetKvSentence, GivesKeysTheirOwnTokens) {
  const Document before = small_document();
  const Document crossed = after(before, SetKvSentence{"der cat sah"});
  ASSERT_EQ(crossed.problem.kv_len(), 3);
  EXPECT_EQ(key_label(crossed, 2), "sah");
  EXPECT_EQ(row_label(crossed, 2), "saw");
  EXPECT_EQ(crossed.problem.embedding_kv->row(0), attention::default_embedding("der", 6));
  EXPECT_EQ(samples::full_trace(crossed).heads[0].weights.shape(), (attention::Shape{6, 3}));
  EXPECT_EQ(samples::fingerprint(after(crossed, SetKvSentence{""})), samples::fingerprint(before));
  EXPECT_THAT(message_after(crossed, SetKvSentence{" "}), HasSubstr("type at least one word"));
}

TEST(SetKvSentence, HasRowsApartFromTheFirstSentence) {
  Document document = after(small_document(), SetKvSentence{"der cat sah der"});
  document = after(document, SetCell{{MatrixId::kXKv}, 0, 2, 7});
  EXPECT_EQ((*document.problem.embedding_kv)(0, 2), 7);
  EXPECT_EQ((*document.problem.embedding_kv)(3, 2), 7) << "the same word";
  document = after(document, SetCell{{MatrixId::kXKv}, 1, 2, 8});
  EXPECT_NE((*document.problem.embedding)(1, 2), 8) << "the cat of the first sentence";
  const Document removed = after(after(document, SetKvSentence{"Hund"}), SetKvSentence{"der"});
  EXPECT_EQ((*removed.problem.embedding_kv)(0, 2), 7) << "words keep their rows";
  EXPECT_THAT(message_after(small_document(), SetCell{{MatrixId::kXKv}, 0, 0, 1}),
              HasSubstr("there is no X_kv"));
  EXPECT_THAT(message_after(small_document(), FillMatrix{{MatrixId::kXKv}}),
              HasSubstr("there is no X_kv"));
}

TEST(SharedWords, EqualWordsOfBothSentencesHaveOneVectorUntilOneIsEdited) {
  Document document = after(small_document(), SetCell{{MatrixId::kX}, 1, 2, 42.0f});
  document = after(document, SetKvSentence{"der cat sah the dog"});
  EXPECT_EQ(document.problem.embedding_kv->row(1), document.problem.embedding->row(1)) << "cat";
  document = after(document, SetCell{{MatrixId::kX}, 4, 0, 5.0f});
  EXPECT_EQ((*document.problem.embedding_kv)(4, 0), 5.0f) << "dog, edited in X";
  document = after(document, SetCell{{MatrixId::kXKv}, 1, 2, 7.0f});
  EXPECT_EQ((*document.problem.embedding)(1, 2), 42.0f) << "cat is apart now";
  document = after(document, SetCell{{MatrixId::kX}, 1, 0, 9.0f});
  EXPECT_NE((*document.problem.embedding_kv)(1, 0), 9.0f);
  document = after(document, SetCell{{MatrixId::kXKv}, 1, 0, 9.0f});
  document = after(document, SetCell{{MatrixId::kXKv}, 1, 2, 42.0f});
  EXPECT_TRUE(document.kv_lexicon->empty()) << "and shared again with equal numbers";
}

TEST(SharedWords, HaveOneVectorAlsoWhereAFileGaveTheWordTwo) {
  Document document = after(file_document(), SetKvSentence{});  // the cat saw the(2) dog .
  document = after(document, SetKvSentence{"saw the dog"});
  EXPECT_EQ(document.problem.embedding_kv->row(1), document.problem.embedding->row(3));
}

TEST(SharedWords, TheSwitchKeepsTheNumbersOrSharesThem) {
  Document shared = after(small_document(), SetCell{{MatrixId::kX}, 1, 2, 42.0f});
  shared = after(shared, SetKvSentence{"der cat sah"});
  const Document apart = after(shared, SetSharedTokens{false});
  EXPECT_TRUE(apart.problem.embedding_kv.same_as(shared.problem.embedding_kv));
  const Document edited = after(apart, SetCell{{MatrixId::kX}, 1, 2, 1.0f});
  EXPECT_EQ((*edited.problem.embedding_kv)(1, 2), 42.0f);
  const Document again = after(edited, SetSharedTokens{true});
  EXPECT_EQ((*again.problem.embedding_kv)(1, 2), 1.0f);
  EXPECT_EQ(again.problem.embedding_kv->row(0), edited.problem.embedding_kv->row(0)) << "der";
  EXPECT_TRUE(same_document(again, after(again, SetSharedTokens{true})));
}

TEST(NewWordScale, MakesNewWordsAsLongAsTheOthers) {
  Document before = small_document();
  before = after(before, FillMatrix{{MatrixId::kX}, attention::FillType::kNormal, 3});
  const Document changed = after(before, SetSentence{"the cat saw a dog.", 0.1f});
  EXPECT_EQ(changed.problem.embedding->row(1), before.problem.embedding->row(1));
  const attention::RowVector default_value = attention::default_embedding("a", 6);
  for (int d = 0; d < 6; ++d)
    EXPECT_NEAR((*changed.problem.embedding)(3, d), default_value(d) / 10, 0.0006f);
  EXPECT_EQ(changed.new_token_scale, 0.1f);
  EXPECT_EQ(after(changed, SetSentence{"the a"}).problem.embedding->row(1),
            changed.problem.embedding->row(3));
}

TEST(NewWordScale, LeavesTheWordsThatAreThere) {
  const Document before = after(small_document(), SetKvSentence{"der cat"});
  const Document changed = after(before, SetSentence{"the cat saw it", 0.1f});
  EXPECT_EQ(changed.problem.embedding->topRows(3), before.problem.embedding->topRows(3));
  EXPECT_EQ(*changed.problem.embedding_kv, *before.problem.embedding_kv);
  for (const float bad : {0.0f, -1.0f, NAN, INFINITY, 1e4f})
    EXPECT_THAT(message_after(before, SetSentence{"a", bad}), HasSubstr("cannot be used"));
}

TEST(NewWordScale, IsSetByTheSecondSentenceToo) {
  const Document before = after(small_document(), SetKvSentence{"der cat"});
  const Document changed = after(before, SetKvSentence{"der cat sah", 0.1f});
  EXPECT_EQ(changed.problem.embedding_kv->topRows(2), *before.problem.embedding_kv);
  const attention::RowVector default_value = attention::default_embedding("sah", 6);
  EXPECT_NEAR((*changed.problem.embedding_kv)(2, 0), default_value(0) / 10, 0.0006f);
  EXPECT_EQ(changed.new_token_scale, 0.1f);
  EXPECT_THAT(message_after(before, SetKvSentence{"a", 0.0f}), HasSubstr("cannot be used"));
}

TEST(SetKvSentence, IsSplitLikeTheFirst) {
  const Document crossed = after(small_document(), SetKvSentence{"ein Tag"});
  const Document cut = after(crossed, SetTokenMode{TokenMode::kCharacters});
  EXPECT_EQ(cut.problem.kv_len(), 6);
  EXPECT_EQ(samples::fingerprint(after(cut, SetTokenMode{TokenMode::kWords})),
            samples::fingerprint(crossed));
}

TEST(SetTokenMode, SplitsTheSameSentenceAgain) {
  const Document before = small_document();
  const Document cut = after(before, SetTokenMode{TokenMode::kCharacters});
  EXPECT_EQ(cut.sentence, before.sentence);
  EXPECT_EQ(cut.tokens.size(), 16u);
  EXPECT_EQ(cut.problem.seq_len(), 16);
  EXPECT_TRUE(same_document(cut, after(cut, SetTokenMode{TokenMode::kCharacters})));
  const Document back = after(cut, SetTokenMode{TokenMode::kWords});
  EXPECT_EQ(samples::fingerprint(back), samples::fingerprint(before));
}

TEST(SetTokenMode, RefusesMoreCharactersThanFit) {
  const Document document = after(small_document(), SetSentence{std::string(3000, 'a')});
  EXPECT_THAT(message_after(document, SetTokenMode{TokenMode::kCharacters}),
              HasSubstr("3,000 tokens"));
}

}  // namespace
}  // namespace lab
