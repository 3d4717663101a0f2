#include "app/document/splitting/splitting.h"
#include "app/base/visible_text.h"
#include "app/document/splitting/unread_text.h"
#include "app/tests/document/samples.h"
#include "app/tests/rooms.h"
#include "app/tests/tokenizer/small_tokenizers.h"
#include "app/tokenizer/reading/read_tokenizer.h"
#include "app/tokenizer/text/byte_characters.h"

#include <gmock/gmock.h>

namespace lab {
namespace {

using nlohmann::json;
using samples::after;
using samples::message_after;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using tokenizer::TextRange;

// A byte-level tokenizer of all bytes, "Ġit" and "it", that puts [CLS] in front.
NamedTokenizer pieces_of_bytes() {
  json vocabulary;
  for (int byte = 0; byte < 256; ++byte) {
    const auto character = tokenizer::character_of_byte(static_cast<unsigned char>(byte));
    vocabulary[utf8(std::u32string(1, character))] = byte;
  }
  vocabulary["it"] = 256;
  vocabulary["Ġit"] = 257;
  vocabulary["[CLS]"] = 258;
  const json model = {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", {"i t", "Ġ it"}}};
  const json cls = {{"SpecialToken", {{"id", "[CLS]"}, {"type_id", 0}}}};
  const json text = {{"Sequence", {{"id", "A"}, {"type_id", 0}}}};
  const json bytes = {{"type", "ByteLevel"},
                      {"add_prefix_space", false},
                      {"trim_offsets", false},
                      {"use_regex", true}};
  const json parts = {{"pre_tokenizer", bytes},
                      {"decoder", bytes},
                      {"post_processor",
                       {{"type", "TemplateProcessing"},
                        {"single", {cls, text}},
                        {"pair", {cls, text, text}},
                        {"special_tokens",
                         {{"[CLS]", {{"id", "[CLS]"}, {"ids", {258}}, {"tokens", {"[CLS]"}}}}}}}}};
  return {"bytes", std::make_shared<const tokenizer::Tokenizer>(
                       tokenizer::read_tokenizer(tokenizer::file_of(model, parts)).value())};
}

Splitting by_pieces(bool special = false) {
  return {TokenMode::kTokenizer, pieces_of_bytes(), special};
}

std::vector<std::string> labels_of(const std::vector<Token>& tokens) {
  std::vector<std::string> labels;
  for (const Token& token : tokens) labels.push_back(token_label(token));
  return labels;
}

TEST(SplitSentence, PiecesAreLabelledAsAPersonReadsThem) {
  const auto tokens = *split_sentence("it it é", by_pieces());
  EXPECT_THAT(labels_of(tokens), ElementsAre("it", "·it", "·", "⟨C3⟩", "⟨A9⟩"));
  EXPECT_EQ(tokens[1].text, "Ġit") << "as the vocabulary spells it";
  EXPECT_EQ(tokens[1].id, 257u);
  EXPECT_EQ(tokens[1].bytes, (TextRange{2, 5}));
}

TEST(SplitSentence, SpecialTokensAreAddedOnWish) {
  EXPECT_THAT(labels_of(*split_sentence("it", by_pieces(true))), ElementsAre("[CLS]", "it"));
  EXPECT_TRUE(split_sentence("it", by_pieces(true))->front().bytes.empty());
  EXPECT_THAT(labels_of(*split_sentence("it", by_pieces(false))), ElementsAre("it"));
}

// Knows a and b, and no token for what it does not know.
Splitting by_two_letters() {
  const json model = {{"type", "BPE"}, {"vocab", {{"a", 0}, {"b", 1}}}, {"merges", json::array()}};
  return {TokenMode::kTokenizer,
          {"letters", std::make_shared<const tokenizer::Tokenizer>(
                          tokenizer::read_tokenizer(tokenizer::file_of(model)).value())},
          false};
}

TEST(UnreadCharacters, AreThoseThatNoTokenStandsFor) {
  const std::string sentence = "a é b7🙂é";
  const Splitting letters = by_two_letters();
  const auto unread = unread_characters(sentence, *split_sentence(sentence, letters), letters);
  EXPECT_THAT(unread, ElementsAre("é", "7", "🙂"));
  EXPECT_EQ(unread_note(unread), "left out: “é”, “7”, “🙂”");
}

TEST(UnreadCharacters, AreNoneWhereBytesStandForEverything) {
  const std::string sentence = "it é 🙂";
  for (const Splitting& splitting : {by_pieces(true), Splitting{}})
    EXPECT_TRUE(
        unread_characters(sentence, *split_sentence(sentence, splitting), splitting).empty());
  EXPECT_EQ(unread_note({}), "");
}

TEST(SplitSentence, ATokenizerThatIsNotOpenIsNamed) {
  const Splitting closed{TokenMode::kTokenizer, {"gone/tokenizer.json"}, true};
  EXPECT_THAT(split_sentence("it", closed).error().message, HasSubstr("gone/tokenizer.json"));
}

TEST(SplitSentence, InvalidTextIsRefusedByATokenizer) {
  EXPECT_FALSE(split_sentence("it \xFF", by_pieces()));
}

TEST(TokenBytes, AreThoseOfTheWordsInTheSentence) {
  const auto words = *split_sentence("it,  is", {});
  EXPECT_THAT(token_bytes("it,  is", {}, words),
              ElementsAre(TextRange{0, 2}, TextRange{2, 3}, TextRange{5, 7}));
  EXPECT_TRUE(token_bytes("it, was", {}, words).empty()) << "not split into these tokens";
}

TEST(ShortTokenizerName, IsTheFolderOrTheFile) {
  EXPECT_EQ(short_tokenizer_name("english"), "english");
  EXPECT_EQ(short_tokenizer_name("/models/gpt2/tokenizer.json"), "gpt2");
  EXPECT_EQ(short_tokenizer_name("/models/gpt2"), "gpt2");
  EXPECT_EQ(short_tokenizer_name("/models/german.json"), "german");
  EXPECT_EQ(short_tokenizer_name("tokenizer.json"), "tokenizer.json");
}

SetTokenMode by_tokenizer(bool special = false) {
  return {TokenMode::kTokenizer, pieces_of_bytes(), special, {}};
}

TEST(SetTokenMode, WholeWordsKeepTheirVectors) {
  const Document words = make_document("so it", attention::Config{}, 1);
  const Document pieces = after(words, by_tokenizer());
  ASSERT_THAT(labels_of(pieces.tokens), ElementsAre("s", "o", "·it"));
  EXPECT_EQ(pieces.problem.embedding->row(2), words.problem.embedding->row(1));
  EXPECT_NE(pieces.problem.embedding->row(0), words.problem.embedding->row(0));
  const Document back = after(pieces, SetTokenMode{});
  EXPECT_EQ(*back.problem.embedding, *words.problem.embedding);
}

TEST(SetTokenMode, WholeWordsOfTheSecondSentenceKeepTheirOwnVectors) {
  Document words = after(make_document("it", attention::Config{}, 1), SetKvSentence{"so it"});
  words = after(words, SetSharedTokens{false});
  words = after(words, SetCell{{MatrixId::kXKv, 0}, 1, 0, 0.5f});
  const Document pieces = after(words, by_tokenizer());
  ASSERT_THAT(labels_of(pieces.kv_tokens), ElementsAre("s", "o", "·it"));
  EXPECT_EQ(pieces.problem.embedding_kv->row(2), words.problem.embedding_kv->row(1));
}

TEST(SetTokenMode, WhatStandsOnAWordFollowsItsPiece) {
  Document words = make_document("so it", attention::Config{}, 1);
  words = after(words, SetOverride{{attention::Stage::kWeights, 0, 1, 1}, 0.5f});
  const Document pieces = after(words, by_tokenizer(true));
  ASSERT_THAT(labels_of(pieces.tokens), ElementsAre("[CLS]", "s", "o", "·it"));
  ASSERT_EQ(pieces.problem.overrides.size(), 1u);
  EXPECT_EQ(pieces.problem.overrides[0].row, 3);
  EXPECT_EQ(pieces.problem.overrides[0].col, 3);
}

TEST(SetTokenMode, ASentenceIsEditedByThePieces) {
  Document pieces = after(make_document("so it", attention::Config{}, 1), by_tokenizer());
  pieces = after(pieces, SetSentence{"it it"});
  EXPECT_THAT(labels_of(pieces.tokens), ElementsAre("it", "·it"));
  EXPECT_EQ(pieces.tokens[0].id, 256u);
  EXPECT_EQ(pieces.tokens[1].bytes, (TextRange{2, 5}));
  EXPECT_EQ(pieces.tokens[1].key, "Ġit");
}

TEST(SetTokenMode, ATokenizerMustBeOpen) {
  const Document words = make_document("so it", attention::Config{}, 1);
  EXPECT_THAT(message_after(words, SetTokenMode{TokenMode::kTokenizer, {"bytes"}, {}, {}}),
              HasSubstr("“bytes”"));
  EXPECT_THAT(message_after(words, SetTokenMode{TokenMode::kTokenizer, {}, {}, {}}),
              HasSubstr("needs the name"));
}

TEST(SetTokenMode, IsWrittenWithTheNameOfItsTokenizer) {
  const std::string line = to_json_line(by_tokenizer(true));
  EXPECT_EQ(
      line,
      R"({"do":"set_token_mode","mode":"tokenizer","tokenizer":"bytes","special_tokens":true})");
  EXPECT_EQ(to_json_line(*command_from_json_line(line)), line);
}

}  // namespace
}  // namespace lab
