#include "core/network/head_labels.h"

#include <algorithm>
#include <random>

namespace attention::network {
void HeadScoreMeter::add_rows(const MatrixView& weights, const std::vector<std::uint32_t>& ids,
                              Means& means) {
  const auto add = [](Mean& mean, double weight) {
    mean.sum += weight;
    ++mean.rows;
  };
  for (Index row = 1; row < weights.rows(); ++row) {
    add(means.previous, weights(row, row - 1));
    add(means.first, weights(row, 0));
    double same = 0, after = 0;
    bool has_same = false, has_after = false;
    for (Index key = 0; key < row; ++key) {
      if (ids[static_cast<std::size_t>(key)] != ids[static_cast<std::size_t>(row)]) continue;
      has_same = true;
      same += weights(row, key);
      if (key + 1 == row) continue;
      has_after = true;
      after += weights(row, key + 1);
    }
    if (has_same) add(means.duplicate, same);
    if (has_after) add(means.induction, after);
  }
}

void HeadScoreMeter::add(const StackTrace& stack, const std::vector<std::uint32_t>& ids,
                         Index n_heads) {
  heads_.resize(stack.blocks.size() * static_cast<std::size_t>(n_heads));
  for (std::size_t i = 0; i < heads_.size(); ++i) {
    const Index at = static_cast<Index>(i);
    if (stack.blocks[i / static_cast<std::size_t>(n_heads)].weights->size() == 0) continue;
    add_rows(stack.head_weights(at / n_heads, at % n_heads), ids, heads_[i]);
  }
}

std::vector<HeadScores> HeadScoreMeter::scores() const {
  std::vector<HeadScores> scores;
  for (const Means& means : heads_)
    scores.push_back({means.previous.value(), means.first.value(), means.duplicate.value(),
                      means.induction.value()});
  return scores;
}

std::vector<std::uint32_t> repeated_tokens(Index period, std::uint32_t vocabulary,
                                           std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint32_t> ids;
  while (std::ssize(ids) < period) {
    const auto id = static_cast<std::uint32_t>(random() % vocabulary);
    const bool enough = static_cast<Index>(vocabulary) >= 2 * period;
    if (enough && std::ranges::find(ids, id) != ids.end()) continue;
    ids.push_back(id);
  }
  const std::vector<std::uint32_t> once = ids;
  ids.insert(ids.end(), once.begin(), once.end());
  return ids;
}

}  // namespace attention::network
