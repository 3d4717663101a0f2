#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/document/words/token_line.h"

namespace lab {

/// A line of words after an edit: where its places are in the sentence, and which of the removed
/// words something stands on.
class RemappedLine {
 public:
  using RemovedTokens =
      std::set<std::pair<std::string, attention::Index>>;  // text, position after it

  /// `followed` must outlive it.
  explicit RemappedLine(const FollowedLine& followed);

  /// The place of what was at that position of the sentence, or at that place.
  attention::Index of_token(attention::Index token) const {
    return followed_.new_index_of_token[token];
  }
  attention::Index of_index(attention::Index index) const { return followed_.moved[index]; }
  /// The place of a position of the sentence as it is now.
  attention::Index index_of(attention::Index position) const { return indices_[position]; }
  /// The position of a place in the sentence; −1 when its word was removed.
  attention::Index position(attention::Index index) const { return positions_[index]; }
  /// The position of the first word from that place on; the number of words if there is none.
  attention::Index position_from(attention::Index index) const;
  /// The number of words in the sentence now, and before.
  attention::Index tokens() const { return std::ssize(indices_); }
  attention::Index tokens_before() const { return std::ssize(followed_.new_index_of_token); }
  /// True when the words of the sentence are where they were.
  bool still() const { return still_; }

  /// Notes that something that is detached stands on that place.
  void use(attention::Index index) { used_[index] = true; }
  /// The removed words that something stands on.
  RemovedTokens used_tokens() const;
  /// Forgets all removed words but those, and returns what is left of them.
  std::vector<RemovedToken> keep(const RemovedTokens& tokens_kept);
  /// The place once words were forgotten by keep().
  attention::Index renumbered(attention::Index index) const { return renumbered_[index]; }

 private:
  template <typename Visit>
  void for_each_removed(Visit&& visit) const;

  const FollowedLine& followed_;
  std::vector<attention::Index> indices_, positions_, renumbered_;
  std::vector<bool> used_;
  bool still_ = true;
};

/// Forgets the removed words that nothing stands on, and returns those of queries and keys that are
/// left. In self-attention both lines keep the same ones, so that a word that was there twice
/// returns to the same place in both.
std::pair<std::vector<RemovedToken>, std::vector<RemovedToken>> keep_used(RemappedLine& queries,
                                                                          RemappedLine& keys,
                                                                          bool cross);

}  // namespace lab
