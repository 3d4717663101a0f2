#include "app/document/words/paired_tokens.h"

#include <algorithm>
#include <deque>
#include <map>

#include "app/document/words/edit_script.h"

namespace lab {

using attention::Axis;
using attention::Index;

namespace {

std::vector<std::string_view> views_of(const std::vector<Token>& tokens) {
  std::vector<std::string_view> words;
  words.reserve(tokens.size());
  for (const Token& token : tokens) words.push_back(followed_token(token));
  return words;
}

// Pairs the tokens that the edit script leaves over in both, in their order: they stand elsewhere.
void pair_moved_tokens(const std::vector<std::string_view>& a, const std::vector<Index>& kept,
                       const std::vector<std::string_view>& b, std::vector<Index>& positions) {
  std::map<std::string_view, std::deque<Index>> left;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (kept[i] < 0) left[a[i]].push_back(static_cast<Index>(i));
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (positions[i] >= 0) continue;
    std::deque<Index>& same = left[b[i]];
    if (same.empty()) continue;
    positions[i] = same.front();
    same.pop_front();
  }
}

std::vector<Index> positions_in_a(const std::vector<Token>& a, const std::vector<Token>& b) {
  std::vector<Index> positions(b.size(), -1);
  const std::vector<std::string_view> tokens_a = views_of(a), tokens_b = views_of(b);
  const std::vector<Index> kept = shortest_edit(tokens_a, tokens_b);
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (kept[i] >= 0) positions[static_cast<std::size_t>(kept[i])] = static_cast<Index>(i);
  pair_moved_tokens(tokens_a, kept, tokens_b, positions);
  return positions;
}

bool are_all_equal(const std::vector<Index>& positions, std::size_t in_a) {
  if (positions.size() != in_a) return false;
  for (std::size_t i = 0; i < positions.size(); ++i)
    if (positions[i] != static_cast<Index>(i)) return false;
  return true;
}

// Null for an axis that does not stand for tokens.
const std::vector<Index>* positions_of(const PairedTokens& words, Axis axis) {
  if (axis == Axis::kQueries) return &words.queries;
  return axis == Axis::kKeys ? &words.keys : nullptr;
}

}  // namespace

Index PairedTokens::in_a(Axis axis, Index at) const {
  const std::vector<Index>* positions = positions_of(*this, axis);
  if (positions == nullptr) return at;
  return at >= 0 && at < std::ssize(*positions) ? (*positions)[static_cast<std::size_t>(at)] : -1;
}

Index PairedTokens::in_b(Axis axis, Index at) const {
  const std::vector<Index>* positions = positions_of(*this, axis);
  if (positions == nullptr || at < 0) return at;
  const auto found = std::ranges::find(*positions, at);
  return found == positions->end() ? -1 : found - positions->begin();
}

bool PairedTokens::share(Axis axis) const {
  const std::vector<Index>* positions = positions_of(*this, axis);
  return positions == nullptr || std::ranges::any_of(*positions, [](Index at) { return at >= 0; });
}

PairedTokens paired_tokens(const Document& a, const Document& b) {
  PairedTokens words{positions_in_a(a.tokens, b.tokens),
                     positions_in_a(key_tokens(a), key_tokens(b))};
  words.equal = are_all_equal(words.queries, a.tokens.size()) &&
                are_all_equal(words.keys, key_tokens(a).size());
  return words;
}

attention::Matrix aligned_to_b(const PairedTokens& words, attention::Stage stage,
                               const attention::Matrix& a, const attention::Matrix& b) {
  const attention::StageInfo& info = attention::stage_info(stage);
  attention::Matrix placed = b;
  for (Index i = 0; i < b.rows(); ++i) {
    const Index row = words.in_a(info.rows, i);
    if (row < 0 || row >= a.rows()) continue;
    for (Index j = 0; j < b.cols(); ++j) {
      const Index col = words.in_a(info.cols, j);
      if (col >= 0 && col < a.cols()) placed(i, j) = a(row, col);
    }
  }
  return placed;
}

}  // namespace lab
