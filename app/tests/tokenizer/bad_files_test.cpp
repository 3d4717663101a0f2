#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "app/tests/tokenizer/small_tokenizers.h"
#include "app/tokenizer/reading/read_tokenizer.h"

namespace lab::tokenizer {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

std::string refusal(const std::string& file) {
  const auto opened = read_tokenizer(file);
  return opened ? "opened" : opened.error().message;
}

std::string refusal_of_parts(const json& segments) {
  return refusal(file_of(word_piece_model(), segments));
}

TEST(TokenizerFile, AnUnknownNodeIsRefusedByNameAndPlace) {
  const json unknown = {{"type", "Shouting"}};
  EXPECT_THAT(refusal_of_parts({{"normalizer", unknown}}),
              AllOf(HasSubstr("normalizer.type"), HasSubstr("\"Shouting\""), HasSubstr("NFC")));
  EXPECT_THAT(refusal_of_parts({{"pre_tokenizer",
                                 {{"type", "Sequence"},
                                  {"pretokenizers", {{{"type", "Whitespace"}}, unknown}}}}}),
              HasSubstr("pre_tokenizer.pretokenizers[1].type: \"Shouting\" is not supported"));
  EXPECT_THAT(refusal_of_parts({{"post_processor", unknown}}), HasSubstr("post_processor.type"));
  EXPECT_THAT(refusal_of_parts({{"decoder", unknown}}), HasSubstr("decoder.type"));
  EXPECT_THAT(refusal(file_of(unknown)), HasSubstr("model.type: \"Shouting\""));
}

TEST(TokenizerFile, AMergeOfWhatIsNoPieceIsRefusedWithItsPlace) {
  json model = bpe_model();
  model["merges"].push_back(json::array({"c", "d"}));
  EXPECT_THAT(refusal(file_of(model)), AllOf(HasSubstr("model.merges[2]"), HasSubstr("\"d\"")));
  model["merges"][2] = json::array({"c", "b"});
  EXPECT_THAT(refusal(file_of(model)), HasSubstr("\"cb\""));
  model["merges"][2] = "a b c";
  EXPECT_THAT(refusal(file_of(model)), HasSubstr("should be two pieces"));
}

TEST(TokenizerFile, IdsBeyondAnyVocabularyAreRefusedBeforeMemoryIsTaken) {
  json model = bpe_model();
  model["vocab"]["z"] = 4'294'967'295U;
  EXPECT_THAT(refusal(file_of(model)), AllOf(HasSubstr("model.vocab"), HasSubstr("\"z\"")));
  model["vocab"]["z"] = -1;
  EXPECT_THAT(refusal(file_of(model)), HasSubstr("\"z\""));
}

TEST(TokenizerFile, DamageIsToldWithItsPlace) {
  EXPECT_THAT(refusal("{\"model\": "), HasSubstr("line 1"));
  EXPECT_THAT(refusal("{\"model\": {\"vocab\": {\"\\ud800\": 1}}}"), HasSubstr("line 1"));
  EXPECT_THAT(refusal(std::string("{\"a\": \"\0\"}", 11)), HasSubstr("NUL"));
  EXPECT_THAT(refusal("[]"), HasSubstr("should be an object"));
  EXPECT_THAT(refusal("{}"), HasSubstr("model"));
  EXPECT_THAT(refusal(std::string(1'000'000, '[')), Not(HasSubstr("opened")));
  EXPECT_THAT(
      refusal_of_parts(
          {{"normalizer", {{"type", "Replace"}, {"pattern", {{"Regex", "("}}}, {"content", ""}}}}),
      AllOf(HasSubstr("normalizer.pattern.Regex"), HasSubstr("is no pattern")));
  EXPECT_THAT(refusal_of_parts(
                  {{"normalizer", {{"type", "Precompiled"}, {"precompiled_charsmap", "AAA="}}}}),
              HasSubstr("cut short"));
  EXPECT_THAT(
      refusal_of_parts({{"normalizer", {{"type", "Precompiled"}, {"precompiled_charsmap", "%"}}}}),
      HasSubstr("base64"));
}

TEST(TokenizerFile, APieceOrAMemberTwiceIsRefused) {
  std::string file = file_of(bpe_model());
  file.replace(file.find("\"b\":1"), 5, "\"a\":1");
  EXPECT_THAT(refusal(file), HasSubstr("twice"));
}

TEST(TokenizerFile, DropoutIsRefusedBecauseItsTokensDifferEachTime) {
  json model = bpe_model();
  model["dropout"] = 0.1;
  EXPECT_THAT(refusal(file_of(model)), HasSubstr("model.dropout"));
  model["dropout"] = nullptr;
  EXPECT_EQ(refusal(file_of(model)), "opened");
}

TEST(TokenizerFile, NumbersAreReadAsTheyAreSpelt) {
  const auto with_dropout = [](const std::string& number) {
    json model = bpe_model();
    model["dropout"] = "here";
    std::string file = file_of(model);
    return refusal(file.replace(file.find("\"here\""), 6, number));
  };
  EXPECT_EQ(with_dropout("0e122"), "opened");
  EXPECT_EQ(with_dropout("1e-999"), "opened");
  EXPECT_THAT(with_dropout("1e-9"), HasSubstr("model.dropout"));
  EXPECT_THAT(with_dropout("1e999"), HasSubstr("a number beyond"));
}

json full_file() {
  const json added = {{"id", 5},        {"content", "<x>"}, {"single_word", false},
                      {"lstrip", true}, {"rstrip", false},  {"normalized", false},
                      {"special", true}};
  return json::parse(file_of(
      bpe_model(),
      {{"normalizer",
        {{"type", "Sequence"}, {"normalizers", {{{"type", "NFKC"}}, {{"type", "Lowercase"}}}}}},
       {"pre_tokenizer",
        {{"type", "Split"},
         {"pattern", {{"Regex", "\\s+"}}},
         {"behavior", "Isolated"},
         {"invert", false}}},
       {"post_processor",
        {{"type", "TemplateProcessing"},
         {"single",
          {{{"SpecialToken", {{"id", "<x>"}, {"type_id", 0}}}},
           {{"Sequence", {{"id", "A"}, {"type_id", 0}}}}}},
         {"pair", json::array()},
         {"special_tokens", {{"<x>", {{"id", "<x>"}, {"ids", {5}}, {"tokens", {"<x>"}}}}}}}},
       {"decoder", {{"type", "ByteLevel"}}},
       {"added_tokens", json::array({added})}}));
}

// Whatever it says, reading ends, and what can be opened can be used.
void try_file(const std::string& file) {
  const auto opened = read_tokenizer(file);
  if (!opened) {
    EXPECT_FALSE(opened.error().message.empty());
    return;
  }
  const auto encoding = opened->encode("a bc <x> Ａ");
  if (encoding) (void)opened->decode(std::vector<std::uint32_t>{0, 3, 5, 4'000'000'000}, false);
}

TEST(TokenizerFile, EveryTruncationIsReadOrRefused) {
  const std::string file = full_file().dump();
  ASSERT_EQ(refusal(file), "opened");
  for (std::size_t size = 0; size < file.size(); ++size) {
    SCOPED_TRACE(size);
    EXPECT_NE(refusal(file.substr(0, size)), "opened");
  }
}

TEST(TokenizerFile, EveryBitFlipIsReadOrRefused) {
  const std::string file = full_file().dump();
  for (std::size_t at = 0; at < file.size() * 8; ++at) {
    std::string damaged = file;
    damaged[at / 8] = static_cast<char>(damaged[at / 8] ^ (1 << (at % 8)));
    SCOPED_TRACE(at);
    try_file(damaged);
  }
}

TEST(TokenizerFile, EveryMemberMayBeMissingOrOfAnotherKind) {
  const json file = full_file();
  const json flat = file.flatten();
  for (const auto& [place, value] : flat.items()) {
    for (const json& other : {json(), json(7), json("x"), json::array(), json::object()}) {
      json damaged = file;
      damaged[json::json_pointer(place)] = other;
      SCOPED_TRACE(place + " = " + other.dump());
      try_file(damaged.dump());
    }
  }
}

}  // namespace
}  // namespace lab::tokenizer
