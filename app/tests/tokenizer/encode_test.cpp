#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/tests/tokenizer/small_tokenizers.h"
#include "app/tokenizer/reading/read_tokenizer.h"

namespace lab::tokenizer {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Tokenizer tokenizer_of(const json& model, const json& segments = {}) {
  return read_tokenizer(file_of(model, segments)).value();
}

std::vector<std::string> texts_of(const Encoding& encoding) {
  std::vector<std::string> texts;
  for (const Token& token : encoding) texts.push_back(token.text);
  return texts;
}

const json kWhitespace = {{"type", "WhitespaceSplit"}};

TEST(Encode, OffsetsAreBytesAndCharactersOfWhatWasTyped) {
  const auto tokenizer =
      tokenizer_of(word_piece_model(), {{"normalizer",
                                         {{"type", "BertNormalizer"},
                                          {"clean_text", true},
                                          {"handle_chinese_chars", true},
                                          {"lowercase", true},
                                          {"strip_accents", nullptr}}},
                                        {"pre_tokenizer", {{"type", "BertPreTokenizer"}}}});
  const Encoding encoding = tokenizer.encode("É Ünàble ít").value();
  EXPECT_THAT(texts_of(encoding), ElementsAre("[UNK]", "un", "##able", "it"));
  EXPECT_EQ(encoding[1].bytes, (TextRange{3, 6}));
  EXPECT_EQ(encoding[1].characters, (TextRange{2, 4}));
  EXPECT_EQ(encoding[2].characters, (TextRange{4, 8}));
  EXPECT_EQ(encoding[3].bytes, (TextRange{12, 15}));
  EXPECT_EQ(encoding[3].characters, (TextRange{9, 11}));
}

TEST(Encode, BytePairsAreJoinedByRankNotFromTheLeft) {
  json model = {{"type", "BPE"},
                {"vocab", {{"a", 0}, {"b", 1}, {"c", 2}, {"bc", 3}, {"ab", 4}}},
                {"merges", json::array({"b c", "a b"})}};
  EXPECT_THAT(texts_of(tokenizer_of(model).encode("abc").value()), ElementsAre("a", "bc"));
  std::swap(model["merges"][0], model["merges"][1]);
  EXPECT_THAT(texts_of(tokenizer_of(model).encode("abc").value()), ElementsAre("ab", "c"));
}

TEST(Encode, AMissingUnknownTokenIsToldOnlyWhereItIsNeeded) {
  json model = word_piece_model();
  model["unk_token"] = "<unk>";
  const auto tokenizer = tokenizer_of(model);
  EXPECT_TRUE(tokenizer.encode("unable"));
  EXPECT_THAT(tokenizer.encode("xyz").error().message, HasSubstr("\"<unk>\""));
}

TEST(Encode, TextThatIsNoUtf8IsRefusedWithThePlace) {
  const auto tokenizer = tokenizer_of(bpe_model());
  EXPECT_THAT(tokenizer.encode("ab\xff").error().message, HasSubstr("byte 2"));
  EXPECT_THAT(tokenizer.encode("\xed\xa0\x80").error().message, HasSubstr("byte 0"));
  EXPECT_TRUE(tokenizer.encode(std::string_view("a\0b", 3)));
}

TEST(Encode, UnicodePropertiesAreThoseOfTheReferenceOnEverySystem) {
  // U+1C89 is a letter since Unicode 16; \w lacks ² within brackets only.
  const auto pieces = [](const char* pattern, const char* text) {
    const auto tokenizer =
        tokenizer_of({{"type", "WordLevel"}, {"vocab", {{"?", 0}}}, {"unk_token", "?"}},
                     {{"pre_tokenizer",
                       {{"type", "Split"},
                        {"pattern", {{"Regex", pattern}}},
                        {"behavior", "Removed"},
                        {"invert", true}}}});
    return tokenizer.encode(text)->size();
  };
  EXPECT_EQ(pieces(R"(\p{L}+)", "a\u1C89 b"), 2U);
  EXPECT_EQ(pieces(R"(\p{Uppercase Letter})", "aB\u1C89"), 2U);
  EXPECT_EQ(pieces(R"(\P{L}+)", "a1b"), 1U);
  EXPECT_EQ(pieces(R"(\w)", "a²"), 2U);
  EXPECT_EQ(pieces(R"([\w])", "a²"), 1U);
  EXPECT_EQ(pieces(R"(\\w)", "a\\w"), 1U);
}

TEST(Encode, TextIsCutWhereTheScriptChanges) {
  // Kana and the mark of a long vowel are Han here. A blank, or U+0378, which has no script, cuts
  // nowhere, and is lost at the start of what other nodes left.
  const auto pieces = [](const char* text) {
    const auto tokenizer =
        tokenizer_of({{"type", "WordLevel"}, {"vocab", {{"?", 0}}}, {"unk_token", "?"}},
                     {{"pre_tokenizer",
                       {{"type", "Sequence"},
                        {"pretokenizers",
                         {{{"type", "CharDelimiterSplit"}, {"delimiter", "|"}},
                          {{"type", "UnicodeScripts"}}}}}}});
    std::vector<std::pair<int, int>> ranges;
    const auto encoded = tokenizer.encode(text).value();
    for (const Token& token : encoded)
      ranges.emplace_back(token.characters.first, token.characters.last);
    return ranges;
  };
  using Ranges = std::vector<std::pair<int, int>>;
  EXPECT_EQ(pieces("猫カひーa ーa"), (Ranges{{0, 4}, {4, 6}, {6, 7}, {7, 8}}));
  EXPECT_EQ(pieces(" a я я1я "), (Ranges{{1, 3}, {3, 6}, {6, 7}, {7, 9}}));
  EXPECT_EQ(pieces("\u0378a\u0378я"), (Ranges{{1, 3}, {3, 4}}));
  EXPECT_EQ(pieces("a | | я"), (Ranges{{0, 2}, {6, 7}}));
  EXPECT_EQ(pieces("a\u0301 "), (Ranges{{0, 1}, {1, 3}}));
  EXPECT_EQ(pieces(" \u0378 "), Ranges{});
}

TEST(Encode, APatternMadeToBeSlowIsStopped) {
  const auto tokenizer = tokenizer_of(bpe_model(), {{"pre_tokenizer",
                                                     {{"type", "Split"},
                                                      {"pattern", {{"Regex", "(a|a|aa)*$"}}},
                                                      {"behavior", "Isolated"},
                                                      {"invert", false}}}});
  EXPECT_THAT(tokenizer.encode(std::string(60, 'a') + "b").error().message, HasSubstr("too long"));
}

TEST(Encode, AddedTokensAreFoundInTheTextLongestFirst) {
  const auto added = [](const char* content, bool special) {
    return json{{"id", 0},         {"content", content},  {"single_word", false}, {"lstrip", false},
                {"rstrip", false}, {"normalized", false}, {"special", special}};
  };
  const auto tokenizer =
      tokenizer_of(bpe_model(), {{"added_tokens", {added("<s>", true), added("<s>x", false)}}});
  EXPECT_THAT(texts_of(tokenizer.encode("ab<s>xab<s>").value()),
              ElementsAre("ab", "<s>x", "ab", "<s>"));
  // Ids follow the vocabulary, whatever the file says.
  EXPECT_EQ(tokenizer.id_of("<s>x"), 6U);
  EXPECT_EQ(tokenizer.decode(std::vector<std::uint32_t>{3, 5, 6}, true).value(), "ab <s>x");
}

TEST(Encode, WhatTokensAddIsSpeltAsInTheWholeText) {
  const auto apart = tokenizer_of(bpe_model());
  EXPECT_EQ(apart.decode(std::vector<std::uint32_t>{0, 1}, false).value(), "a b");
  EXPECT_EQ(apart.decode_added({0}, std::vector<std::uint32_t>{1}, false).value(), " b");
  // Here the whole does not begin as the text did, so the tokens are spelt as they are alone.
  const auto fused = tokenizer_of(
      bpe_model(),
      {{"decoder",
        {{"type", "Sequence"},
         {"decoders",
          {{{"type", "Fuse"}},
           {{"type", "Replace"}, {"pattern", {{"String", "ab"}}}, {"content", "x"}}}}}}});
  EXPECT_EQ(fused.decode_added({0}, std::vector<std::uint32_t>{1}, false).value(), "b");
}

TEST(Encode, ManyAddedTokensAndALongWordTakeNoLongTime) {
  json many = json::array();
  for (int i = 0; i < 10'000; ++i)
    many.push_back({{"id", i}, {"content", "<" + std::to_string(i) + ">"}, {"special", true}});
  const auto tokenizer = tokenizer_of(bpe_model(), {{"added_tokens", many}});
  EXPECT_EQ(tokenizer.encode("a<77>b<9999>")->size(), 4U);
  EXPECT_EQ(tokenizer.encode(std::string(1'000'000, 'a'))->size(), 1'000'000U);
}

TEST(Encode, LimitsOfTheFileAreAppliedOnlyOnRequest) {
  const auto tokenizer = tokenizer_of(
      word_piece_model(),
      {{"pre_tokenizer", kWhitespace},
       {"truncation",
        {{"max_length", 2}, {"stride", 0}, {"strategy", "LongestFirst"}, {"direction", "Right"}}},
       {"padding",
        {{"strategy", {{"Fixed", 5}}},
         {"direction", "Right"},
         {"pad_id", 0},
         {"pad_type_id", 0},
         {"pad_token", "[PAD]"}}}});
  EXPECT_EQ(tokenizer.encode("it it it")->size(), 3U);
  EncodeOptions options;
  options.truncate = true;
  EXPECT_EQ(tokenizer.encode("it it it", options)->size(), 2U);
  options.pad = true;
  EXPECT_THAT(texts_of(tokenizer.encode("it it it", options).value()),
              ElementsAre("it", "it", "[PAD]", "[PAD]", "[PAD]"));
}

}  // namespace
}  // namespace lab::tokenizer
