#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/tokenizer/reading/read_tokenizer.h"

// What the reference, tokenizers from PyPI, gives: see make_goldens.py.

namespace lab::tokenizer {
namespace {

using nlohmann::json;

std::vector<std::string> golden_files() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(ATTENTION_LAB_TOKENIZER_GOLDENS))
    files.push_back(entry.path().string());
  std::ranges::sort(files);
  return files;
}

json as_json(const Encoding& encoding) {
  json answer = {{"ids", json::array()},
                 {"tokens", json::array()},
                 {"offsets", json::array()},
                 {"type_ids", json::array()}};
  for (const Token& token : encoding) {
    answer["ids"].push_back(token.id);
    answer["tokens"].push_back(token.text);
    answer["offsets"].push_back({token.characters.first, token.characters.last});
    answer["type_ids"].push_back(token.type_id);
  }
  return answer;
}

void expect_case(const Tokenizer& tokenizer, const json& expected) {
  SCOPED_TRACE(expected.at("text").dump());
  const std::string pair = expected.value("pair", "");
  EncodeOptions options;
  if (expected.contains("pair")) options.pair = pair;
  options.add_special = expected.value("add_special_tokens", true);
  options.truncate = options.pad = true;
  const auto encoding = tokenizer.encode(expected.at("text").get<std::string>(), options);
  ASSERT_TRUE(encoding) << encoding.error().message;
  const json answer = as_json(*encoding);
  for (const char* name : {"ids", "tokens", "offsets", "type_ids"}) {
    if (!expected.contains(name)) continue;
    EXPECT_EQ(answer.at(name), expected.at(name)) << name;
  }
  if (!expected.contains("decoded")) return;
  const auto ids = expected.at("ids").get<std::vector<std::uint32_t>>();
  const auto decoded = expected.at("decoded").get<std::string>();
  EXPECT_EQ(tokenizer.decode(ids, false).value(), decoded);
  EXPECT_EQ(tokenizer.decode(ids, true).value(), expected.value("decoded_plain", decoded));
}

class TokenizerGolden : public ::testing::TestWithParam<std::string> {};

TEST_P(TokenizerGolden, GivesTheTokensOfTheReference) {
  std::ifstream file(GetParam());
  const json golden = json::parse(file);
  const auto tokenizer = read_tokenizer(golden.at("tokenizer").dump());
  ASSERT_TRUE(tokenizer) << tokenizer.error().message;
  ASSERT_FALSE(golden.at("cases").empty());
  for (const json& expected : golden.at("cases")) expect_case(*tokenizer, expected);
}

INSTANTIATE_TEST_SUITE_P(Files, TokenizerGolden, ::testing::ValuesIn(golden_files()),
                         [](const auto& test) {
                           std::string name = std::filesystem::path(test.param).stem().string();
                           std::erase_if(name, [](unsigned char c) { return !std::isalnum(c); });
                           return name;
                         });

}  // namespace
}  // namespace lab::tokenizer
