#include "app/files/session/session.h"
#include "app/document/listed_edits.h"

#include <nlohmann/json.hpp>

#include "app/document/commands/reducer.h"
#include "app/tests/files/support.h"
#include "app/tests/rooms.h"
#include "core/embedding.h"
#include "core/initialise.h"

namespace lab {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// small_session() with members replaced or added.
std::string session_with(const json& changes) {
  json root = json::parse(small_session());
  root.merge_patch(changes);
  return root.dump();
}

TEST(Session, AnyDocumentReadsBackBitForBit) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    const Document document = random_document(seed);
    expect_same(value_of(read_session(write_session(document))), document);
  }
}

// Every second edit.
Document with_some_off(Document document) {
  const auto edits = edits_of(document);
  for (std::size_t i = 0; i < edits.size(); i += 2)
    if (edits[i].effect == ListedEdit::Effect::kOn)
      document = with_switched(document, edits[i], false);
  return document;
}

TEST(Session, KeepsWhatIsSwitchedOff) {
  int off = 0, detached = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    const Document document = with_some_off(random_document(seed));
    off += document.switched_off == SwitchedOff() ? 0 : 1;
    expect_same(value_of(read_session(write_session(document))), document);
    const Document shorter = value_of(apply(document, SetSentence{"The mat."}));
    detached += shorter.detached->switched_off.empty() ? 0 : 1;
    expect_same(value_of(read_session(write_session(shorter))), shorter);
  }
  EXPECT_GT(off, 20);
  EXPECT_GT(detached, 5);
}

TEST(Session, WhatIsSwitchedOffIsCheckedLikeWhatIsOn) {
  for (const json& off :
       {json{{"overrides", {{{"stage", "scores"}, {"row", 99}, {"col", 0}, {"value", 4}}}}},
        json{{"head_mix", {{{"mute", true}}, {{"mute", true}}}}}, json{{"colour", 1}}})
    EXPECT_FALSE(read_session(session_with({{"switched_off", off}}))) << off;
}

TEST(Session, KeepsWhatIsDetached) {
  int detached = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    const Document whole = random_document(seed);
    for (const Command& command :
         {Command(SetSentence{"The mat."}), Command(SetKvSentence{"Hund mat"})}) {
      const Document document = value_of(apply(whole, command));
      detached += document.detached->empty() ? 0 : 1;
      expect_same(value_of(read_session(write_session(document))), document);
    }
  }
  EXPECT_GT(detached, 50);
}

TEST(Session, WhatIsDetachedReturnsWithItsWord) {
  const auto opened = read_session(session_with(
      {{"set_aside",
        {{"queries", {{{"text", "cat"}, {"before", 1}}}},
         {"keys", {{{"text", "cat"}, {"before", 1}}}},
         {"mask", {{1, 1}}},
         {"bias", {{1, 0, 2.5}}},
         {"overrides", {{{"stage", "scores"}, {"row", 3}, {"col", 1}, {"value", 4}}}}}}}));
  const Document document = value_of(apply(value_of(opened), SetSentence{"a cat b a"}));
  EXPECT_EQ((*document.problem.allowed)(1, 1), 0);
  EXPECT_EQ((*document.problem.bias)(1, 0), 2.5f);
  EXPECT_EQ(document.problem.overrides,
            std::vector<attention::Override>({{attention::Stage::kScores, 0, 3, 1, 4}}));
  EXPECT_TRUE(document.detached->empty());
}

TEST(Session, WritingWhatWasReadGivesTheSameText) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const std::string text = write_session(random_document(seed));
    EXPECT_EQ(write_session(value_of(read_session(text))), text);
  }
}

TEST(Session, EveryMemberIsRead) {
  const Document document = value_of(read_session(small_session()));
  EXPECT_EQ(document.title, "t");
  EXPECT_EQ(document.sentence, "a b a");
  EXPECT_THAT(document.dimensions, ElementsAre("x", "y"));
  const attention::Problem& problem = document.problem;
  EXPECT_EQ(problem.config.d_v, 2);
  EXPECT_EQ((*problem.embedding)(2, 1), 0.5f);
  EXPECT_EQ((*problem.parameters.heads[0].W_Q)(1, 0), 2);
  EXPECT_TRUE(std::isnan((*problem.parameters.kv_heads[0].W_V)(1, 1)));
  EXPECT_EQ((*problem.parameters.heads[0].b_Q)(0, 0), 3);
  EXPECT_TRUE(problem.parameters.kv_heads[0].b_K.empty());
  EXPECT_EQ((*problem.parameters.b_O)(0, 1), -1);
}

TEST(Session, WordsWithoutARowHaveTheirDefaultEmbedding) {
  const Document document = value_of(read_session(small_session()));
  EXPECT_EQ(document.problem.embedding->row(1), attention::default_embedding("b", 2));
}

TEST(Session, ASecondSentenceSharesWordsOnlyIfTheFileSaysSo) {
  const Document older = value_of(read_session(session_with({{"kv_sentence", "a c"}})));
  EXPECT_FALSE(older.shared_tokens);
  EXPECT_EQ(older.problem.embedding_kv->row(0), attention::default_embedding("a", 2));
  const Document shared =
      value_of(read_session(session_with({{"kv_sentence", "a c"}, {"shared_words", true}})));
  EXPECT_EQ(shared.problem.embedding_kv->row(0), shared.problem.embedding->row(0));
  EXPECT_TRUE(value_of(read_session(small_session())).shared_tokens) << "for one to come";
  EXPECT_THAT(write_session(value_of(read_session(small_session()))), Not(HasSubstr("shared")));
}

TEST(Session, NewWordsKeepTheirScale) {
  const Document document =
      value_of(read_session(session_with({{"new_word_scale", 0.1}, {"sentence", "a b"}})));
  EXPECT_NEAR((*document.problem.embedding)(1, 0), attention::default_embedding("b", 2)(0) / 10,
              0.0006f);
  EXPECT_EQ(document.problem.embedding->row(0), (attention::RowVector{{1, 0.5f}}));
}

TEST(Session, AFillStandsForItsMatrix) {
  const json fill = {{"fill", "normal"}, {"seed", 18446744073709551615u}};
  const Document document = value_of(read_session(session_with({{"W_O", fill}, {"b_O", fill}})));
  const auto expected = [](attention::Shape shape) {
    return attention::filled(attention::FillType::kNormal, shape, 18446744073709551615u);
  };
  EXPECT_EQ(*document.problem.parameters.W_O, expected({2, 2}));
  EXPECT_EQ(*document.problem.parameters.b_O, expected({1, 2}));
  const auto identity = value_of(read_session(session_with({{"W_O", {{"fill", "identity"}}}})));
  EXPECT_EQ(*identity.problem.parameters.W_O, attention::Matrix::Identity(2, 2));
}

TEST(Session, WhatIsLeftOutHasItsDefault) {
  const Document document = value_of(read_session(session_with(
      {{"title", nullptr},
       {"tokenizer", nullptr},
       {"dimensions", nullptr},
       {"embedding", nullptr},
       {"b_O", nullptr},
       {"config", {{"scale", nullptr}, {"temperature", nullptr}, {"mask", nullptr}}}})));
  EXPECT_EQ(document.title, "");
  EXPECT_TRUE(document.lexicon->empty());
  EXPECT_EQ(document.problem.config.d_out, 2);
  EXPECT_EQ(document.problem.config.temperature, 1);
  EXPECT_TRUE(document.problem.config.scale);
}

TEST(Session, HeadsThatShareKeysStandApart) {
  const json head = {{"W_Q", {{1}, {2}}}, {"b_Q", {3}}};
  const json kv_head = {{"W_K", {{1}, {2}}}, {"W_V", {{1, 0}, {0, 1}}}, {"b_K", {4}}};
  const Document document =
      value_of(read_session(session_with({{"config", {{"n_heads", 2}, {"n_kv_heads", 1}}},
                                          {"heads", {head, head}},
                                          {"kv_heads", {kv_head}},
                                          {"W_O", {{"fill", "zero"}}}})));
  EXPECT_EQ(document.problem.parameters.heads.size(), 2u);
  ASSERT_EQ(document.problem.parameters.kv_heads.size(), 1u);
  EXPECT_EQ((*document.problem.parameters.kv_heads[0].b_K)(0, 0), 4);
  expect_same(value_of(read_session(write_session(document))), document);
}

TEST(Session, PlainModelsAreWrittenWithoutTheirVariants) {
  const std::string text = write_session(value_of(read_session(small_session())));
  for (const char* name : {"kv_heads", "positions", "rotary", "dropout", "biases", "residual",
                           "layer_norm", "head_norm", "norm_Q", "score_cap", "head_build",
                           "head_mix", "overrides", "gamma", "window"})
    EXPECT_THAT(text, Not(HasSubstr(name)));
}

TEST(Session, UnknownMembersAreIgnored) {
  EXPECT_TRUE(read_session(session_with({{"colour", "blue"}, {"config", {{"extra", 1}}}})));
}

TEST(Session, AByteOrderMarkIsNoHindrance) {
  EXPECT_TRUE(read_session("\xEF\xBB\xBF" + small_session()));
}

TEST(Session, TokensAreWrittenOnlyWhenTheTokenizerWouldGiveOthers) {
  Document document = value_of(read_session(small_session()));
  EXPECT_THAT(write_session(document), Not(HasSubstr("\"tokens\"")));
  document.tokens[2].key = "a@2";
  EXPECT_THAT(write_session(document), HasSubstr(R"({"text": "a", "key": "a@2"})"));
}

TEST(Session, EachMatrixRowHasItsLine) {
  const Document document = value_of(read_session(small_session()));
  EXPECT_THAT(write_session(document), HasSubstr("  \"W_O\": [\n    [1, 2],\n    [3, 4]\n  ],\n"));
  EXPECT_THAT(write_session(document), HasSubstr("    \"a\": [1, 0.5]\n"));
  EXPECT_THAT(write_session(document), HasSubstr("        [0, \"NaN\"]\n"));
}

// A byte that is no UTF-8 cannot stand in JSON: it is kept as it is shown.
TEST(Session, BytesThatAreNoTextAreKeptAsTheyAreShown) {
  const attention::Config config{
      .d_model = 2, .n_heads = 1, .d_k = 1, .d_v = 1, .d_out = 2, .mask = {}};
  const Document document = make_document("a \xFF \xFE b", config, 1);
  const Document again = value_of(read_session(write_session(document)));
  ASSERT_EQ(again.tokens.size(), 4u);
  for (attention::Index i = 0; i < 4; ++i) EXPECT_EQ(row_label(again, i), row_label(document, i));
}

// Just above half-way between two floats: rounded by way of a double it would become 1.
TEST(Session, NumbersAreRoundedOnce) {
  std::string text = small_session();
  text.replace(text.find("0.5"), 3, "1.00000005960464477539062500001");
  EXPECT_EQ((*value_of(read_session(text)).problem.embedding)(0, 1), 1 + 0x1p-23f);
}

TEST(Session, ReadsTheLongestSentence) {
  std::string sentence;
  for (int i = 0; i < 2048; ++i) sentence += "a ";
  EXPECT_EQ(value_of(read_session(session_with({{"sentence", sentence}}))).tokens.size(), 2048u);
}

}  // namespace
}  // namespace lab
