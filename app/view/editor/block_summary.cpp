#include "app/view/editor/block_summary.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace lab::view {
namespace {

using attention::Index;

std::vector<float> finite_numbers(const attention::MatrixView& block) {
  std::vector<float> numbers;
  for (Index i = 0; i < block.rows(); ++i)
    for (Index j = 0; j < block.cols(); ++j)
      if (std::isfinite(block(i, j))) numbers.push_back(block(i, j));
  return numbers;
}

std::size_t bar_of(const BlockSummary& summary, float number) {
  const double span = static_cast<double>(summary.highest) - summary.lowest;
  if (span == 0) return BlockSummary::kBars / 2;
  const double share = (static_cast<double>(number) - summary.lowest) / span;
  return std::min(static_cast<std::size_t>(share * BlockSummary::kBars), BlockSummary::kBars - 1);
}

}  // namespace

BlockSummary summarise(const attention::MatrixView& block) {
  const std::vector<float> numbers = finite_numbers(block);
  BlockSummary summary;
  summary.count = block.size();
  summary.finite = std::ssize(numbers);
  if (numbers.empty()) return summary;
  const auto [lowest, highest] = std::ranges::minmax(numbers);
  summary.lowest = lowest;
  summary.highest = highest;
  const auto size = static_cast<double>(numbers.size());
  for (const float number : numbers) summary.mean += number / size;
  double squares = 0;
  for (const float number : numbers) {
    squares += (number - summary.mean) * (number - summary.mean) / size;
    ++summary.histogram[bar_of(summary, number)];
  }
  summary.deviation = std::sqrt(squares);
  return summary;
}

}  // namespace lab::view
