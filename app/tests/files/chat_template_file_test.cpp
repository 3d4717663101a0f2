#include "app/files/tokenizer/chat_template_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "app/files/tokenizer/tokenizer_file.h"
#include "app/tests/temporary_folder.h"

namespace lab::files {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// A tokenizer of a few words, without bytes.
tokenizer::Tokenizer opened_tokenizer(const TemporaryFolder& folder) {
  const json model = {
      {"type", "WordLevel"}, {"vocab", {{"<unk>", 0}, {"<s>", 1}}}, {"unk_token", "<unk>"}};
  folder.write("tokenizer.json", json{{"model", model}}.dump());
  auto opened = open_tokenizer(folder.path());
  EXPECT_TRUE(opened) << (opened ? "" : opened.error().message);
  return std::move(*opened);
}

constexpr const char* kTokens = "{{ bos_token }}|{{ eos_token }}|{{ messages[0].content }}";

// What the template in `folder` prints, "none", or the error.
std::string printed(const TemporaryFolder& folder) {
  const auto found = chat_template_at(folder.path(), opened_tokenizer(folder));
  if (!found) return found.error().message;
  if (*found == nullptr) return "none";
  const auto rendered = (*found)->render(question_of("hi", nullptr));
  return rendered ? rendered->text : rendered.error().message;
}

std::string printed_with(const json& config) {
  const TemporaryFolder folder;
  folder.write("tokenizer_config.json", config.dump());
  return printed(folder);
}

TEST(ChatTemplateFile, IsInTheConfigurationOrAlone) {
  const TemporaryFolder folder;
  EXPECT_EQ(printed(folder), "none");
  folder.write("tokenizer_config.json", R"({"chat_template": null})");
  EXPECT_EQ(printed(folder), "none");
  const json config = {{"chat_template", std::string("old ") + kTokens}, {"bos_token", "<s>"}};
  folder.write("tokenizer_config.json", config.dump());
  EXPECT_EQ(printed(folder), "old <s>||hi");
  folder.write("chat_template.jinja", std::string("new ") + kTokens);
  EXPECT_EQ(printed(folder), "new <s>||hi");
}

TEST(ChatTemplateFile, OfSeveralTheDefaultIsTaken) {
  const json tools = {{"name", "tool_use"}, {"template", "tools"}};
  const json usual = {{"name", "default"}, {"template", "usual"}};
  EXPECT_EQ(printed_with({{"chat_template", {tools, usual}}}), "usual");
  EXPECT_THAT(printed_with({{"chat_template", json::array({tools})}}),
              HasSubstr("none is called \"default\": \"tool_use\""));
  EXPECT_THAT(printed_with({{"chat_template", 7}}), HasSubstr("chat_template: should be a text"));
  EXPECT_THAT(printed_with({{"chat_template", json::array({"a"})}}), HasSubstr("should be a text"));
  EXPECT_THAT(printed_with({{"chat_template", "{% if %}"}}), HasSubstr("line 1: "));
}

// A token is a text or an object; null is none; a class has tokens of its own.
TEST(ChatTemplateFile, KnowsTheSpecialTokens) {
  EXPECT_EQ(printed_with({{"chat_template", kTokens},
                          {"bos_token", {{"content", "<a>"}, {"lstrip", false}}},
                          {"eos_token", nullptr}}),
            "<a>||hi");
  EXPECT_EQ(printed_with({{"chat_template", kTokens}, {"tokenizer_class", "LlamaTokenizer"}}),
            "<s>|</s>|hi");
  const TemporaryFolder folder;
  folder.write("tokenizer_config.json",
               json{{"chat_template", kTokens}, {"eos_token", "<z>"}}.dump());
  folder.write("special_tokens_map.json", R"({"bos_token": "<b>", "eos_token": "<e>"})");
  EXPECT_EQ(printed(folder), "<b>|<z>|hi");
}

void append_number(std::string& bytes, std::uint64_t value, int size) {
  for (int i = 0; i < size; ++i) bytes += static_cast<char>((value >> (8 * i)) & 0xFFU);
}

void append_text(std::string& bytes, std::string_view text) {
  append_number(bytes, text.size(), 8);
  bytes += text;
}

// A GGUF file of metadata alone: tokens and a chat template.
std::string gguf(const std::string& chat_template) {
  constexpr int kUnsigned = 4, kText = 8, kList = 9;
  std::string bytes = "GGUF";
  append_number(bytes, 3, 4);
  append_number(bytes, 0, 8);
  append_number(bytes, 3, 8);
  append_text(bytes, "tokenizer.ggml.tokens");
  append_number(bytes, kList, 4);
  append_number(bytes, kText, 4);
  append_number(bytes, 2, 8);
  append_text(bytes, "<unk>");
  append_text(bytes, "<s>");
  append_text(bytes, "tokenizer.ggml.bos_token_id");
  append_number(bytes, kUnsigned, 4);
  append_number(bytes, 1, 4);
  append_text(bytes, "tokenizer.chat_template");
  append_number(bytes, kText, 4);
  append_text(bytes, chat_template);
  return bytes;
}

TEST(ChatTemplateFile, IsInTheMetadataOfGguf) {
  const TemporaryFolder folder;
  const tokenizer::Tokenizer opened = opened_tokenizer(folder);
  const auto found = chat_template_at(folder.write("a.gguf", gguf(kTokens)), opened);
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_NE(*found, nullptr);
  EXPECT_EQ((*found)->render(question_of("hi", nullptr))->text, "<s>||hi");
  const auto bad = chat_template_at(folder.write("b.gguf", gguf("{{")), opened);
  ASSERT_FALSE(bad);
  EXPECT_THAT(bad.error().message, HasSubstr("b.gguf\": chat template: line 1"));
}

TEST(ChatTemplateFile, AQuestionHasAnInstructionIfThereIsOne) {
  const std::string system = "Be brief.";
  EXPECT_EQ(question_of("hi", nullptr).turns, (std::vector<chat::Turn>{{"user", "hi"}}));
  EXPECT_EQ(question_of("hi", &system).turns,
            (std::vector<chat::Turn>{{"system", "Be brief."}, {"user", "hi"}}));
}

}  // namespace
}  // namespace lab::files
