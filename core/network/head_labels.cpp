#include "core/network/head_labels.h"

#include <algorithm>
#include <random>

namespace attention::network {
namespace {

// A mean that is 0 without numbers.
class Mean {
 public:
  void add(float number) {
    sum_ += static_cast<double>(number);
    ++count_;
  }
  float value() const { return count_ == 0 ? 0 : static_cast<float>(sum_ / count_); }

 private:
  double sum_ = 0;
  int count_ = 0;
};

// The earlier positions of the token at `row`.
std::vector<Index> earlier(const std::vector<std::uint32_t>& ids, Index row) {
  std::vector<Index> places;
  for (Index key = 0; key < row; ++key)
    if (ids[static_cast<std::size_t>(key)] == ids[static_cast<std::size_t>(row)])
      places.push_back(key);
  return places;
}

HeadScores scores_of(const MatrixView& weights, const std::vector<std::uint32_t>& ids) {
  Mean previous, first, duplicate, induction;
  for (Index row = 1; row < weights.rows(); ++row) {
    previous.add(weights(row, row - 1));
    first.add(weights(row, 0));
    const std::vector<Index> places = earlier(ids, row);
    if (places.empty()) continue;
    float same = 0, after = 0;
    for (const Index key : places) {
      same += weights(row, key);
      after += weights(row, key + 1);
    }
    duplicate.add(same);
    induction.add(after);
  }
  return {previous.value(), first.value(), duplicate.value(), induction.value()};
}

}  // namespace

std::vector<HeadScores> head_scores(const StackTrace& stack, const std::vector<std::uint32_t>& ids,
                                    Index n_heads) {
  std::vector<HeadScores> scores;
  for (Index layer = 0; layer < std::ssize(stack.blocks); ++layer)
    for (Index head = 0; head < n_heads; ++head)
      scores.push_back(scores_of(stack.head_weights(layer, head), ids));
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
