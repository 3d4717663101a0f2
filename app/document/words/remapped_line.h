#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/document/words/token_line.h"

namespace lab {

/// A line of tokens after an edit: where its indices are in the sentence, and which of the removed
/// tokens something stands on.
class RemappedLine {
 public:
  using RemovedTokens =
      std::set<std::pair<std::string, attention::Index>>;  // text, position after it

  /// `followed` must outlive it.
  explicit RemappedLine(const FollowedLine& followed);

  /// The index of what was at that position of the sentence, or at that index.
  attention::Index of_token(attention::Index token) const {
    return followed_.new_index_of_token[token];
  }
  /// Where index `index` of the line before is now.
  attention::Index of_index(attention::Index index) const { return followed_.moved[index]; }
  /// The index of a position of the sentence as it is now.
  attention::Index index_of(attention::Index position) const { return indices_[position]; }
  /// The position of an index in the sentence; −1 when its token was removed.
  attention::Index position(attention::Index index) const { return positions_[index]; }
  /// The position of the first token from that index on; the number of tokens if there is none.
  attention::Index position_from(attention::Index index) const;
  /// The number of tokens in the sentence now, and before.
  attention::Index tokens() const { return std::ssize(indices_); }
  /// The number of tokens that the sentence had before the edit.
  attention::Index tokens_before() const { return std::ssize(followed_.new_index_of_token); }
  /// True when the tokens of the sentence are where they were.
  bool still() const { return still_; }

  /// Notes that something that is detached stands on that index.
  void use(attention::Index index) { used_[index] = true; }
  /// The removed tokens that something stands on.
  RemovedTokens used_tokens() const;
  /// Forgets all removed tokens but those, and returns what is left of them.
  std::vector<RemovedToken> keep(const RemovedTokens& tokens_kept);
  /// The index once tokens were forgotten by keep().
  attention::Index renumbered(attention::Index index) const { return renumbered_[index]; }

 private:
  template <typename Visit>
  void for_each_removed(Visit&& visit) const;

  const FollowedLine& followed_;
  std::vector<attention::Index> indices_, positions_, renumbered_;
  std::vector<bool> used_;
  bool still_ = true;
};

/// Forgets the removed tokens that nothing stands on, and returns those of queries and keys that
/// are left. In self-attention both lines keep the same ones, so that a token that was there twice
/// returns to the same index in both.
std::pair<std::vector<RemovedToken>, std::vector<RemovedToken>> keep_used(RemappedLine& queries,
                                                                          RemappedLine& keys,
                                                                          bool cross);

}  // namespace lab
