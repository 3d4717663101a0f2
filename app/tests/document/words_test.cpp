#include <gmock/gmock.h>

#include <random>
#include <set>

#include "app/document/words/edit_script.h"
#include "app/document/words/token_line.h"
#include "app/tests/rooms.h"

// RemovedTokens that are followed through an edit of their sentence.

namespace lab {
namespace {

using attention::Index;
using ::testing::ElementsAre;

using RemovedTokens = std::vector<std::string>;

class RandomWords {
 public:
  explicit RandomWords(std::uint32_t seed) : engine_(seed) {}
  int pick(int below) { return std::uniform_int_distribution<int>(0, below - 1)(engine_); }
  RemovedTokens words(int most, int types) {
    RemovedTokens words;
    for (int i = pick(most + 1); i > 0; --i) words.push_back(std::string(1, "abcd"[pick(types)]));
    return words;
  }

 private:
  std::mt19937 engine_;
};

std::vector<Index> edit(const RemovedTokens& old, const RemovedTokens& now) {
  return shortest_edit({old.begin(), old.end()}, {now.begin(), now.end()});
}

// By trying every choice.
std::size_t most_kept(const RemovedTokens& old, std::size_t i, const RemovedTokens& now,
                      std::size_t j) {
  if (i == old.size() || j == now.size()) return 0;
  std::size_t most = most_kept(old, i + 1, now, j);
  for (std::size_t k = j; k < now.size(); ++k)
    if (now[k] == old[i]) most = std::max(most, 1 + most_kept(old, i + 1, now, k + 1));
  return most;
}

TEST(ShortestEdit, KeepsAsManyWordsAsPossibleInOrder) {
  RandomWords random(1);
  for (int i = 0; i < 2000; ++i) {
    const RemovedTokens old = random.words(7, 3), now = random.words(7, 3);
    const std::vector<Index> kept = edit(old, now);
    ASSERT_EQ(kept.size(), old.size());
    Index last = -1;
    std::size_t count = 0;
    for (std::size_t w = 0; w < old.size(); ++w) {
      if (kept[w] < 0) continue;
      ASSERT_GT(kept[w], last) << "in order";
      ASSERT_EQ(now[kept[w]], old[w]);
      last = kept[w];
      ++count;
    }
    ASSERT_EQ(count, most_kept(old, 0, now, 0));
  }
}

TEST(ShortestEdit, KeepsTheFirstOfEqualWords) {
  EXPECT_THAT(edit({"a", "a"}, {"a"}), ElementsAre(0, -1));
  EXPECT_THAT(edit({"the", "cat", "the", "dog"}, {"the", "dog"}), ElementsAre(0, -1, -1, 1));
  EXPECT_THAT(edit({}, {"a"}), ElementsAre());
}

TEST(ShortestEdit, TakesTheLongestSentences) {
  RemovedTokens old, now;
  for (int i = 0; i < 2048; ++i) {
    old.push_back(std::to_string(i % 97));
    now.push_back(std::to_string(i % 89));
  }
  EXPECT_EQ(edit(old, now).size(), old.size());
}

TokenLine line_of(const RemovedTokens& words) {
  std::vector<Token> tokens;
  for (const std::string& word : words) tokens.push_back({word, word});
  return token_line(tokens, {});
}

// "the [cat] sat": removed words in brackets.
std::string text_of(const TokenLine& line) {
  std::string text;
  for (const LineToken& word : line) {
    if (!text.empty()) text += ' ';
    text += word.removed ? "[" + word.token.text + "]" : word.token.text;
  }
  return text;
}

TEST(Follow, KeepsGoneWordsWhereTheyStood) {
  const FollowedLine without = follow(line_of({"the", "cat", "sat", "down"}), {"the", "down"});
  EXPECT_EQ(text_of(without.line), "the [cat] [sat] down");
  const FollowedLine longer = follow(without.line, {"oh", "the", "sat", "up", "down"});
  EXPECT_EQ(text_of(longer.line), "oh the [cat] sat up down");
  EXPECT_THAT(longer.moved, ElementsAre(1, 2, 3, 5));
  EXPECT_THAT(longer.new_index_of_token, ElementsAre(1, 5));
}

TEST(Follow, FindsAWordThatMoved) {
  const FollowedLine moved = follow(line_of({"the", "cat", "sat"}), {"sat", "the", "cat"});
  EXPECT_EQ(text_of(moved.line), "sat the cat");
  EXPECT_THAT(moved.moved, ElementsAre(1, 2, 0));
  const FollowedLine removed = follow(line_of({"the", "cat", "sat"}), {"the", "cat"});
  EXPECT_EQ(text_of(follow(removed.line, {"sat", "the", "cat"}).line), "sat the cat")
      << "also when it was away in between";
}

TEST(Follow, KeepsTheKeysOfWords) {
  const TokenLine line = token_line({{"it", "it@3"}, {"is", "is"}}, {});
  const TokenLine now = follow(follow(line, {"so", "is"}).line, {"so", "it", "is"}).line;
  EXPECT_EQ(now[0].token.key, "so");
  EXPECT_EQ(now[1].token.key, "it@3");
}

TEST(Follow, LosesNoPlaceInAnyEdit) {
  RandomWords random(2);
  for (int run = 0; run < 200; ++run) {
    TokenLine line = line_of(random.words(6, 4));
    for (int i = 0; i < 10; ++i) {
      const RemovedTokens words = random.words(6, 4);
      const FollowedLine now = follow(line, words);
      ASSERT_EQ(now.moved.size(), line.size());
      ASSERT_EQ(std::set(now.moved.begin(), now.moved.end()).size(), line.size());
      for (std::size_t place = 0; place < line.size(); ++place)
        ASSERT_EQ(now.line[now.moved[place]].token, line[place].token);
      const std::vector<Token> tokens = tokens_of(now.line);
      ASSERT_EQ(tokens.size(), words.size());
      for (std::size_t w = 0; w < words.size(); ++w) ASSERT_EQ(tokens[w].text, words[w]);
      ASSERT_EQ(token_line(tokens, removed_tokens_of(now.line)), now.line);
      line = now.line;
    }
  }
}

TEST(Follow, BringsBackAWordWhereverItIsTyped) {
  RandomWords random(3);
  for (int run = 0; run < 500; ++run) {
    const TokenLine before = follow(line_of(random.words(6, 4)), random.words(4, 4)).line;
    const RemovedTokens words = random.words(6, 4);
    const TokenLine now = follow(before, words).line;
    for (const RemovedToken& word : removed_tokens_of(now)) {
      const auto kept = std::ranges::count(words, word.token.text);
      const auto places = std::ranges::count_if(
          before, [&](const LineToken& w) { return w.token.text == word.token.text; });
      ASSERT_GT(places, kept) << "a word is gone although it was typed and not taken";
    }
  }
}

}  // namespace
}  // namespace lab
