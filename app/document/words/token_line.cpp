#include "app/document/words/token_line.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <unordered_map>

#include "app/document/words/edit_script.h"

namespace lab {

using attention::Index;

namespace {

// Finds for each index of a line the position of its token in a new sentence.
class Follower {
 public:
  Follower(const TokenLine& line, const std::vector<std::string>& texts)
      : line_(line), texts_(texts), found_(line.size(), -1), taken_(texts.size(), false) {}

  // Matches the given places with the given positions, both in order.
  void match(const std::vector<Index>& places, const std::vector<Index>& positions) {
    std::vector<std::string_view> old, now;
    for (const Index index : places) old.push_back(followed_token(line_[index].token));
    for (const Index position : positions) now.push_back(texts_[position]);
    const std::vector<Index> kept = shortest_edit(old, now);
    for (std::size_t i = 0; i < kept.size(); ++i)
      if (kept[i] >= 0) put(places[i], positions[kept[i]]);
  }

  // Matches removed tokens with new ones between the same neighbours.
  void match_between() {
    const std::vector<Index> anchors = found_;
    std::vector<Index> removed;
    Index next = 0;  // the first position after the last neighbour
    const auto match_until = [&](Index end) {
      std::vector<Index> fresh;
      for (; next < end; ++next)
        if (!taken_[next]) fresh.push_back(next);
      if (!removed.empty() && !fresh.empty()) match(removed, fresh);
      removed.clear();
    };
    for (std::size_t index = 0; index < line_.size(); ++index) {
      if (anchors[index] >= 0) match_until(anchors[index]);
      if (line_[index].removed) removed.push_back(static_cast<Index>(index));
    }
    match_until(std::ssize(texts_));
  }

  // Matches the rest by text alone, in order; tokens that this edit removed before those removed
  // earlier.
  void match_anywhere() {
    std::unordered_map<std::string_view, std::vector<Index>> fresh;  // the first one last
    for (Index i = std::ssize(texts_); i-- > 0;)
      if (!taken_[i]) fresh[texts_[i]].push_back(i);
    if (fresh.empty()) return;
    for (const bool removed : {false, true}) {
      for (std::size_t index = 0; index < line_.size(); ++index) {
        if (found_[index] >= 0 || line_[index].removed != removed) continue;
        const auto same = fresh.find(followed_token(line_[index].token));
        if (same == fresh.end() || same->second.empty()) continue;
        put(static_cast<Index>(index), same->second.back());
        same->second.pop_back();
      }
    }
  }

  const std::vector<Index>& found() const { return found_; }

 private:
  void put(Index index, Index position) {
    found_[index] = position;
    taken_[position] = true;
  }

  const TokenLine& line_;
  const std::vector<std::string>& texts_;
  std::vector<Index> found_;  // for each index its position, or −1
  std::vector<bool> taken_;
};

// A token that was removed is no piece of a sentence any more.
Token without_piece(Token token) {
  token.id.reset();
  token.bytes = {};
  return token;
}

// A removed token stays behind the last token before it that did not jump over others; `in_order`
// has the positions of those.
FollowedLine laid_out(const TokenLine& line, const std::vector<std::string>& texts,
                      const std::vector<Index>& found, const std::vector<Index>& in_order) {
  std::vector<std::vector<Index>> removed(texts.size() +
                                          1);  // indices, by the position that follows
  std::vector<Index> from(texts.size(), -1);   // the index of each position
  std::size_t before = 0;
  for (std::size_t index = 0; index < line.size(); ++index) {
    if (in_order[index] >= 0) before = static_cast<std::size_t>(in_order[index]) + 1;
    if (found[index] >= 0) {
      from[found[index]] = static_cast<Index>(index);
    } else {
      removed[before].push_back(static_cast<Index>(index));
    }
  }
  FollowedLine followed{{}, std::vector<Index>(line.size()), {}};
  for (std::size_t i = 0; i <= texts.size(); ++i) {
    for (const Index index : removed[i]) {
      followed.moved[index] = std::ssize(followed.line);
      followed.line.push_back({without_piece(line[index].token), true});
    }
    if (i == texts.size()) break;
    if (from[i] >= 0) followed.moved[from[i]] = std::ssize(followed.line);
    followed.line.push_back(
        {from[i] >= 0 ? line[from[i]].token : Token{texts[i], texts[i]}, false});
  }
  for (const Index index : token_indices(line))
    followed.new_index_of_token.push_back(followed.moved[index]);
  return followed;
}

}  // namespace

TokenLine token_line(const std::vector<Token>& tokens, const std::vector<RemovedToken>& removed) {
  TokenLine line;
  auto next = removed.begin();
  for (Index i = 0; i <= std::ssize(tokens); ++i) {
    const bool end = i == std::ssize(tokens);
    for (; next != removed.end() && (next->before <= i || end); ++next)
      line.push_back({next->token, true});
    if (!end) line.push_back({tokens[i], false});
  }
  return line;
}

std::vector<Token> tokens_of(const TokenLine& line) {
  std::vector<Token> tokens;
  for (const LineToken& entry : line)
    if (!entry.removed) tokens.push_back(entry.token);
  return tokens;
}

std::vector<RemovedToken> removed_tokens_of(const TokenLine& line) {
  std::vector<RemovedToken> removed;
  Index before = 0;
  for (const LineToken& entry : line) {
    if (entry.removed) {
      removed.push_back({entry.token, before});
    } else {
      ++before;
    }
  }
  return removed;
}

std::vector<Index> token_indices(const TokenLine& line) {
  std::vector<Index> indices;
  for (std::size_t index = 0; index < line.size(); ++index)
    if (!line[index].removed) indices.push_back(static_cast<Index>(index));
  return indices;
}

FollowedLine follow(const TokenLine& line, const std::vector<std::string>& texts) {
  Follower follower(line, texts);
  std::vector<Index> all(texts.size());
  std::iota(all.begin(), all.end(), Index{0});
  follower.match(token_indices(line), all);
  follower.match_between();
  const std::vector<Index> in_order = follower.found();
  follower.match_anywhere();
  return laid_out(line, texts, follower.found(), in_order);
}

FollowedLine unmoved(TokenLine line) {
  FollowedLine followed{std::move(line), {}, {}};
  followed.moved.resize(followed.line.size());
  std::iota(followed.moved.begin(), followed.moved.end(), Index{0});
  followed.new_index_of_token = token_indices(followed.line);
  return followed;
}

}  // namespace lab
