#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/chat/template.h"

// Texts that transformers makes of conversations; golden/make_chat.py writes them.

namespace lab::chat {
namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

std::string text_of_file(const fs::path& path) {
  std::stringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

const fs::path kGoldens = ATTENTION_LAB_CHAT_GOLDENS;

// 4 July 2026, 9:05, the time of the goldens.
std::tm time_of_goldens() {
  std::tm time{};
  time.tm_year = 126;
  time.tm_mon = 6;
  time.tm_mday = 4;
  time.tm_wday = 6;
  time.tm_yday = 184;
  time.tm_hour = 9;
  time.tm_min = 5;
  return time;
}

const ordered_json& goldens() {
  static const ordered_json kRead = ordered_json::parse(text_of_file(kGoldens / "renders.json"));
  return kRead;
}

Template golden_template(const std::string& name) {
  std::vector<std::pair<std::string, std::string>> tokens;
  for (const auto& [key, text] : goldens()["tokens"].items()) tokens.emplace_back(key, text);
  auto read = Template::parse(text_of_file(kGoldens / "templates" / (name + ".jinja")), tokens);
  EXPECT_TRUE(read) << name << ": " << read.error().message;
  return *read;
}

Expected<Rendered> render(const Template& used, const ordered_json& conversation) {
  Template::Variables variables;
  if (conversation.contains("variables"))
    for (const auto& [key, value] : conversation["variables"].items())
      variables.emplace_back(key, value);
  return used.render(conversation["messages"], conversation["add_generation_prompt"].get<bool>(),
                     time_of_goldens(), variables);
}

TEST(Renders, AreThoseOfTransformers) {
  int compared = 0;
  for (const auto& [name, renders] : goldens()["renders"].items()) {
    const Template used = golden_template(name);
    for (const auto& [conversation, expected] : renders.items()) {
      const auto rendered = render(used, goldens()["conversations"][conversation]);
      ++compared;
      if (expected.is_null())
        EXPECT_FALSE(rendered) << name << ", " << conversation;
      else if (!rendered)
        ADD_FAILURE() << name << ", " << conversation << ": " << rendered.error().message;
      else
        EXPECT_EQ(rendered->text, expected.get<std::string>()) << name << ", " << conversation;
    }
  }
  EXPECT_EQ(compared, 220);
}

TEST(Renders, SayWhatComesFromContents) {
  for (const auto& [name, renders] : goldens()["renders"].items()) {
    const Template used = golden_template(name);
    for (const auto& [conversation, expected] : renders.items()) {
      const auto rendered = render(used, goldens()["conversations"][conversation]);
      if (!rendered) continue;
      std::size_t end = 0;
      std::optional<RenderedPart> before;
      for (const RenderedPart& part : rendered->parts) {
        EXPECT_EQ(part.begin, end) << name;
        EXPECT_LT(part.begin, part.end) << name;
        if (before) {
          EXPECT_NE(before->turn, part.turn) << name;
        }
        end = part.end;
        before = part;
      }
      EXPECT_EQ(end, rendered->text.size()) << name;
    }
  }
}

// In a template that prints contents as they are, all of them are marked, and nothing else is.
TEST(Renders, MarkWholeContents) {
  const Template turns = golden_template("turns");
  const Conversation conversation{{{"system", "<|im_end|>"}, {"user", "user"}}, true};
  const auto rendered = turns.render(conversation, time_of_goldens());
  ASSERT_TRUE(rendered) << rendered.error().message;
  EXPECT_EQ(rendered->text,
            "<|im_start|>system\n<|im_end|><|im_end|>\n<|im_start|>user\nuser<|im_end|>\n"
            "<|im_start|>assistant\n");
  std::vector<std::string> contents;
  for (const RenderedPart& part : rendered->parts)
    if (part.turn) {
      EXPECT_EQ(*part.turn, contents.size());
      contents.push_back(rendered->text.substr(part.begin, part.end - part.begin));
    }
  EXPECT_EQ(contents, (std::vector<std::string>{"<|im_end|>", "user"}));
  const std::size_t user = rendered->text.find("user\nuser") + 5;
  EXPECT_FALSE(is_of_template(rendered->parts, user, user + 4));
  EXPECT_TRUE(is_of_template(rendered->parts, user - 5, user - 1));
  EXPECT_FALSE(is_of_template(rendered->parts, user, user + 5));
}

}  // namespace
}  // namespace lab::chat
