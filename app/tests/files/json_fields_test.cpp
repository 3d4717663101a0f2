#include "app/files/session/json_fields.h"

#include <gtest/gtest.h>

namespace lab::files {

namespace {

struct Leaf {
  int number = 0;
  std::string word;
  bool operator==(const Leaf&) const = default;
};

struct Tree {
  std::vector<Leaf> leaves;
  std::vector<int> counts;
  float height = 2;
  bool operator==(const Tree&) const = default;
};

}  // namespace

template <>
struct JsonFields<Leaf> : StrictLine {
  static void visit(auto& leaf, auto&& members) {
    members("number", leaf.number, JsonFromOne());
    members.unless_default("word", leaf.word);
  }
};

template <>
struct JsonFields<Tree> : OpenLines {
  static void visit(auto& tree, auto&& members) {
    members.unless_default("leaves", tree.leaves);
    members("counts", tree.counts);
    members.may_miss("height", tree.height);
  }
};

namespace {

Tree tree_in(const char* text) {
  const auto tree = nlohmann::json::parse(text);
  return JsonValue<Tree>::read(JsonCursor(tree));
}

std::string tree_refusal(const char* text) {
  const auto read = guarded([&] { return tree_in(text); });
  return read ? std::string() : read.error().message;
}

TEST(JsonFields, LinesAndOneLine) {
  const Tree tree{{{0, "oak"}, {6, ""}}, {1, 2}, 0.5f};
  const std::string text = json_line(tree);
  EXPECT_EQ(text,
            "{\n"
            "  \"leaves\": [\n"
            "    {\"number\": 1, \"word\": \"oak\"},\n"
            "    {\"number\": 7}\n"
            "  ],\n"
            "  \"counts\": [1, 2],\n"
            "  \"height\": 0.5\n"
            "}");
  EXPECT_EQ(tree_in(text.c_str()), tree);
}

TEST(JsonFields, MissingMembersKeepTheirValues) {
  EXPECT_EQ(tree_in(R"({"counts": [], "unknown": 1})"), Tree());
}

TEST(JsonFields, RefusalsNameThePlace) {
  EXPECT_EQ(tree_refusal("{}"), "counts: is missing");
  EXPECT_EQ(tree_refusal(R"({"counts": 3})"), "counts: 3, should be a list");
  EXPECT_EQ(tree_refusal(R"({"counts": [1, -1]})"), "counts[1]: -1, should be a whole number");
  EXPECT_EQ(tree_refusal(R"({"counts": [], "leaves": [{"number": 0}]})"),
            "leaves[0].number: 0, should be a whole number from 1");
  EXPECT_EQ(tree_refusal(R"({"counts": [], "leaves": [{"number": 1, "wrod": ""}]})"),
            "leaves[0]: there is no member \"wrod\"");
  EXPECT_EQ(tree_refusal(R"({"counts": [], "leaves": [{"number": 1, "word": 2}]})"),
            "leaves[0].word: 2, should be text in quotes");
}

}  // namespace
}  // namespace lab::files
