#include "core/training/cross_entropy.h"

#include <cmath>

namespace attention::training {
namespace {

// The loss of one row; its logits become what moves them.
template <typename Row>
double row_loss(std::uint32_t target, float weight, Row row) {
  const float at_target = row(target);
  const float largest = row.maxCoeff();
  row.array() = (row.array() - largest).exp();
  const float sum = row.sum();
  row *= weight / sum;
  row(target) -= weight;
  return static_cast<double>(largest) + std::log(static_cast<double>(sum)) -
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
    const double loss = row_loss(example.targets[at], weight, logits.row(i));
    sums.loss[at] += loss;
    ++sums.asked[at];
    if (example.known[at] == 0) continue;
    sums.known_loss[at] += loss;
    ++sums.known[at];
  }
}

}  // namespace attention::training
