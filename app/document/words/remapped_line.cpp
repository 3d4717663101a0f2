#include "app/document/words/remapped_line.h"

#include <algorithm>

namespace lab {

using attention::Index;

RemappedLine::RemappedLine(const FollowedLine& followed)
    : followed_(followed),
      indices_(token_indices(followed.line)),
      positions_(followed.line.size(), -1),
      used_(followed.line.size()) {
  for (Index i = 0; i < tokens(); ++i) positions_[indices_[i]] = i;
  still_ = followed.new_index_of_token == indices_;
}

Index RemappedLine::position_from(Index index) const {
  const auto next = std::ranges::lower_bound(indices_, index);
  return next - indices_.begin();
}

template <typename Visit>
void RemappedLine::for_each_removed(Visit&& visit) const {
  Index before = 0;
  for (Index index = 0; index < std::ssize(positions_); ++index) {
    if (positions_[index] >= 0) {
      ++before;
    } else {
      visit(index, followed_.line[index].token, before);
    }
  }
}

RemappedLine::RemovedTokens RemappedLine::used_tokens() const {
  RemovedTokens tokens_kept;
  for_each_removed([&](Index index, const Token& token, Index before) {
    if (used_[index]) tokens_kept.emplace(token.text, before);
  });
  return tokens_kept;
}

std::vector<RemovedToken> RemappedLine::keep(const RemovedTokens& tokens_kept) {
  std::vector<RemovedToken> kept;
  std::vector<bool> forgotten(positions_.size());
  for_each_removed([&](Index index, const Token& token, Index before) {
    if (tokens_kept.contains({token.text, before})) {
      kept.push_back({token, before});
    } else {
      forgotten[index] = true;
    }
  });
  renumbered_.clear();
  Index next = 0;
  for (const bool is_forgotten : forgotten) renumbered_.push_back(is_forgotten ? next : next++);
  return kept;
}

std::pair<std::vector<RemovedToken>, std::vector<RemovedToken>> keep_used(RemappedLine& queries,
                                                                          RemappedLine& keys,
                                                                          bool cross) {
  RemappedLine::RemovedTokens of_queries = queries.used_tokens(), of_keys = keys.used_tokens();
  if (!cross) {
    of_queries.insert(of_keys.begin(), of_keys.end());
    of_keys = of_queries;
  }
  return {queries.keep(of_queries), keys.keep(of_keys)};
}

}  // namespace lab
