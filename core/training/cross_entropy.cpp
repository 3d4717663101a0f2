#include "core/training/cross_entropy.h"

#include <cmath>
#include <limits>

#include "core/training/simd_block.h"

namespace attention::training {
namespace {

// The loss of a row of `count` logits, which become their gradients.
double row_loss(std::uint32_t target, float weight, Index count, float* row) {
  constexpr float kBelowAll = -std::numeric_limits<float>::infinity();
  const float at_target = row[target];
  SimdBlock most = SimdBlock::Constant(kBelowAll), sum = SimdBlock::Zero();
  for_simd_blocks(count, [&](auto block) { most = most.max(block.load(row, kBelowAll)); });
  const float largest = most.maxCoeff();
  for_simd_blocks(count, [&](auto block) {
    const SimdBlock power = block.filled((block.load(row, kBelowAll) - largest).exp(), 0);
    sum += power;
    block.store(power, row);
  });
  const float powers = sum.sum(), factor = weight / powers;
  for_simd_blocks(count, [&](auto block) { block.store(block.load(row) * factor, row); });
  row[target] -= weight;
  return static_cast<double>(largest) + std::log(static_cast<double>(powers)) -
         static_cast<double>(at_target);
}

template <typename Number>
void add_all(const std::vector<Number>& from, std::vector<Number>& to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
}

}  // namespace

void LossSums::add(const LossSums& other) {
  add_all(other.loss, loss);
  add_all(other.known_loss, known_loss);
  add_all(other.asked, asked);
  add_all(other.known, known);
}

void cross_entropy(const Example& example, float weight, MatrixSlot logits, LossSums& sums) {
  for (Index i = 0; i < logits.rows(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (example.targets[at] == kNoTarget) {
      logits.row(i).setZero();
      continue;
    }
    const double loss = row_loss(example.targets[at], weight, logits.cols(),
                                 logits.data() + i * logits.outerStride());
    sums.loss[at] += loss;
    ++sums.asked[at];
    if (example.known[at] == 0) continue;
    sums.known_loss[at] += loss;
    ++sums.known[at];
  }
}

}  // namespace attention::training
