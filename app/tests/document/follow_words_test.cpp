#include <gmock/gmock.h>

#include <set>

#include "app/document/words/remap_cells.h"
#include "app/tests/document/samples.h"
#include "app/tests/rooms.h"

// What stands on words follows them through edits of the sentences.

namespace lab {
namespace {

using attention::Index;
using attention::Override;
using attention::Stage;
using samples::after;
using samples::kMask;
using samples::kScoreBias;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

Document refer() {
  const attention::Config config{
      .d_model = 4, .n_heads = 2, .d_k = 3, .d_v = 3, .d_out = 4, .mask = {}};
  return make_document("The animal didn't cross because it was tired", config, 3);
}

std::string word(const Document& document, const Override& o, bool of_row) {
  return of_row ? row_label(document, o.stage, o.row) : column_label(document, o.stage, o.col);
}

// "it/animal = 4" of every override.
std::vector<std::string> overrides(const Document& document) {
  std::vector<std::string> texts;
  for (const Override& o : document.problem.overrides)
    texts.push_back(word(document, o, true) + "/" + word(document, o, false) + " = " +
                    std::to_string(std::lround(o.value)));
  return texts;
}

// The words of the pairs that the painted mask forbids.
std::vector<std::string> forbidden(const Document& document) {
  std::vector<std::string> pairs;
  const attention::Matrix& allowed = *document.problem.allowed;
  for (Index i = 0; i < allowed.rows(); ++i)
    for (Index j = 0; j < allowed.cols(); ++j)
      if (allowed(i, j) == 0)
        pairs.push_back(row_label(document, i) + "/" + key_label(document, j));
  return pairs;
}

TEST(FollowWords, AnOverrideStaysOnItsWords) {
  Document document = after(refer(), SetOverride{{Stage::kScores, 0, 5, 1}, 4});
  document = after(document, SetSentence{"The animal did not cross because it was tired"});
  EXPECT_THAT(overrides(document), ElementsAre("it/animal = 4"));
  EXPECT_TRUE(document.detached->empty());
}

TEST(FollowWords, MaskAndBiasStayOnTheirWordsWhileAWordIsTyped) {
  Document document = after(refer(), SetCell{kMask, 5, 1, 0});
  document = after(document, SetCell{kScoreBias, 7, 0, 2});
  for (const char* text : {"The old animal didn't cross because it was tired",
                           "The older animal didn't cross because it was very tired"})
    document = after(document, SetSentence{text});
  EXPECT_THAT(forbidden(document), ElementsAre("it/animal"));
  EXPECT_EQ((*document.problem.bias)(9, 0), 2) << "tired/The";
  EXPECT_EQ(document.problem.bias->sum(), 2) << "nothing on the new words";
}

TEST(FollowWords, WhatBelongsToAWordThatIsGoneReturnsWithIt) {
  Document document = after(refer(), SetOverride{{Stage::kScores, 1, 5, 1}, 4});
  document = after(document, SetOverride{{Stage::kQ, 0, 1, 2}, 6});
  document = after(document, SetCell{kMask, 1, 7, 0});
  document = after(document, SetCell{kScoreBias, 1, 5, -3});
  const Document without =
      after(document, SetSentence{"The cat didn't cross because it was tired"});
  EXPECT_THAT(without.problem.overrides, IsEmpty());
  EXPECT_TRUE(without.problem.allowed.empty());
  EXPECT_TRUE(without.problem.bias.empty());
  EXPECT_EQ(without.detached->overrides.size(), 2u);
  const Document again = after(without, SetSentence{"So the animal and I: it is tired"});
  EXPECT_THAT(overrides(again), ElementsAre("it/animal = 4", "animal/2 = 6"));
  EXPECT_THAT(forbidden(again), ElementsAre("animal/tired"));
  EXPECT_EQ((*again.problem.bias)(2, 6), -3) << "animal/it";
  EXPECT_TRUE(again.detached->empty());
}

TEST(FollowWords, TypingTheSentenceAgainPutsEverythingBack) {
  Document document = after(samples::small_document(), SetSentence{"the cat saw the dog"});
  document = after(document, SetCell{kMask, 3, 3, 0});
  document = after(document, SetOverride{{Stage::kWeights, 2, 0, 3}, 1});
  const std::string before = samples::fingerprint(document), sentence = document.sentence;
  for (std::size_t length = 1; length <= sentence.size(); ++length)
    document = after(document, SetSentence{sentence.substr(0, length)});
  EXPECT_EQ(samples::fingerprint(document), before);
}

TEST(FollowWords, KeysOfASecondSentenceKeepWhatWasOnTheSameWords) {
  Document document = after(refer(), SetCell{kMask, 5, 1, 0});
  document = after(document, SetOverride{{Stage::kK, 0, 6, 0}, 9});
  document = after(document, SetOverride{{Stage::kScores, 1, 0, 7}, 2});
  const std::string before = samples::fingerprint(document);
  document = after(document, SetKvSentence{"An animal was here"});
  EXPECT_THAT(forbidden(document), ElementsAre("it/animal"));
  EXPECT_THAT(overrides(document), ElementsAre("was/0 = 9"));
  EXPECT_EQ(document.detached->overrides.size(), 1u) << "The/tired";
  document = after(document, SetOverride{{Stage::kXKv, 0, 3, 1}, 5});
  document = after(document, SetKvSentence{""});
  EXPECT_EQ(document.detached->overrides.size(), 1u) << "here, of X_kv";
  document = after(document, SetKvSentence{"An animal was here"});
  EXPECT_THAT(overrides(document), ElementsAre("was/0 = 9", "here/1 = 5"));
  document = after(after(document, RemoveOverride{{Stage::kXKv, 0, 3, 1}}), SetKvSentence{""});
  document.kv_sentence.clear();
  EXPECT_EQ(samples::fingerprint(document), before);
}

TEST(FollowWords, OverridesReturnWithTheSizeThatHadTheirCells) {
  const Document document = after(refer(), SetOverride{{Stage::kQ, 1, 5, 2}, 4});
  for (const SizeId size : {SizeId::kHeads, SizeId::kDK}) {
    const int default_value = size == SizeId::kHeads ? 2 : 3;
    const Document smaller = after(document, SetSize{size, 1});
    EXPECT_THAT(smaller.problem.overrides, IsEmpty());
    const Document edited = after(smaller, SetSentence{"Because it was tired"});
    EXPECT_THAT(overrides(after(edited, SetSize{size, default_value})), ElementsAre("it/2 = 4"));
  }
}

TEST(FollowWords, ClearingAMatrixForgetsWhatIsDetachedOfIt) {
  Document document = after(refer(), SetCell{kMask, 5, 1, 0});
  document = after(document, SetCell{kScoreBias, 5, 1, 2});
  document = after(document, SetOverride{{Stage::kScores, 0, 5, 1}, 4});
  document = after(document, SetSentence{"The tired"});
  document = after(document, FillMask{true});
  document = after(document, FillMatrix{kScoreBias, attention::FillType::kZero, 0, 0.0f});
  document = after(document, ClearOverrides{});
  EXPECT_TRUE(same_document(document, after(document, ClearOverrides{})));
  EXPECT_EQ(*document.detached, Detached());
  document = after(document, SetSentence{refer().sentence});
  EXPECT_TRUE(document.problem.allowed.empty());
  EXPECT_TRUE(document.problem.bias.empty());
  EXPECT_THAT(document.problem.overrides, IsEmpty());
}

// What each number stands on: its matrix or stage, and the words of its row and column.
using Standing = std::multiset<std::pair<float, std::string>>;

std::string text_at(const TokenLine& line, Index place) { return line[place].token.text; }

void add_pairs(Standing& all, const Document& document, const attention::Matrix& matrix,
               const std::vector<PairCell>& detached, float absent, const std::string& name) {
  for (Index i = 0; i < matrix.rows(); ++i)
    for (Index j = 0; j < matrix.cols(); ++j)
      if (matrix(i, j) != absent)
        all.emplace(matrix(i, j), name + row_label(document, i) + "/" + key_label(document, j));
  const TokenLine queries = query_line(document), keys = key_line(document);
  for (const PairCell& cell : detached) {
    EXPECT_TRUE(queries[cell.row].removed || keys[cell.col].removed);
    all.emplace(cell.value, name + text_at(queries, cell.row) + "/" + text_at(keys, cell.col));
  }
}

Standing standing(const Document& document) {
  Standing all;
  add_pairs(all, document, *document.problem.allowed, document.detached->mask, 1, "mask ");
  add_pairs(all, document, *document.problem.bias, document.detached->bias, 0, "bias ");
  for (const Override& o : document.problem.overrides)
    all.emplace(o.value, word(document, o, true) + "/" + word(document, o, false));
  const TokenLine queries = query_line(document), keys = key_line(document);
  for (const Override& o : document.detached->overrides) {
    const std::string row = text_at(has_key_rows(o.stage) ? keys : queries, o.row);
    all.emplace(o.value, row + "/" +
                             (has_key_columns(o.stage) ? text_at(keys, o.col)
                                                       : column_label(document, o.stage, o.col)));
  }
  return all;
}

class FollowWordsAtRandom : public ::testing::TestWithParam<std::uint32_t> {
 protected:
  // Words of one letter; with `distinct`, each at most once.
  std::string sentence(bool distinct = false) {
    std::string letters = "abcdef", text;
    for (int i = 1 + commands_.pick(6); i > 0; --i) {
      const auto chosen =
          static_cast<std::size_t>(commands_.pick(static_cast<int>(letters.size())));
      text += letters.substr(chosen, 1) + " ";
      if (distinct) letters.erase(chosen, 1);
    }
    return text;
  }
  Document decorated(const std::string& text) {
    Document document = after(samples::small_document(), SetSentence{text});
    for (int i = 0; i < 6; ++i) {
      const auto at = [&] { return commands_.pick(6); };
      const auto number = static_cast<float>(i);
      document = after(document, SetCell{kMask, at(), at(), 0});
      document = after(document, SetCell{kScoreBias, at(), at(), 10.0f + number});
      const int feature = commands_.pick(2);
      document = after(document, SetOverride{{Stage::kScores, 0, at(), at()}, 20.0f + number});
      document = after(document, SetOverride{{Stage::kV, 1, at(), feature}, 30.0f + number});
    }
    return document;
  }

  Command edit(bool distinct) {
    const int type = commands_.pick(4);
    if (type == 0) return SetKvSentence{sentence(distinct)};
    if (type == 1) return SetKvSentence{};
    return SetSentence{sentence(distinct)};
  }

  samples::RandomCommands commands_{GetParam()};
};

TEST_P(FollowWordsAtRandom, NothingIsLostAndEverythingStandsOnTheSameWords) {
  Document document = decorated("a b c d e f a");
  const Standing before = standing(document);
  for (int i = 0; i < 60; ++i) {
    document = after(document, edit(false));
    ASSERT_EQ(standing(document), before) << "after edit " << i;
    ASSERT_NO_THROW(attention::validate(document.problem));
  }
}

TEST_P(FollowWordsAtRandom, EverythingReturnsWithTheWords) {
  Document document = decorated("a b c d e f");
  const Standing before = standing(document);
  for (int i = 0; i < 60; ++i) document = after(document, edit(true));
  document = after(after(document, SetKvSentence{}), SetSentence{"a b c d e f"});
  EXPECT_EQ(standing(document), before);
  EXPECT_EQ(*document.detached, Detached());
}

INSTANTIATE_TEST_SUITE_P(Seeds, FollowWordsAtRandom, ::testing::Range(1u, 9u));

}  // namespace
}  // namespace lab
