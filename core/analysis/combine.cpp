#include "core/analysis/combine.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>

#include "core/matrix.h"

namespace attention {
namespace {

// NaN is farther from 0 than anything.
double distance(const DifferenceCell& cell) {
  return std::isnan(cell.by) ? HUGE_VAL : std::abs(static_cast<double>(cell.by));
}

bool same(float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); }

const Matrix& weights_of(const Trace& trace, Index head) {
  return *trace.heads[static_cast<size_t>(head)].weights;
}

void offer(std::vector<DifferenceCell>& most, size_t count, const DifferenceCell& cell) {
  const auto position = std::ranges::upper_bound(most, cell, changed_more);
  if (position == most.end() && most.size() == count) return;
  most.insert(position, cell);
  if (most.size() > count) most.pop_back();
}

}  // namespace

std::vector<Index> active_heads(const Problem& problem) {
  std::vector<Index> all, active;
  for (Index head = 0; head < problem.config.n_heads; ++head) {
    all.push_back(head);
    if (head_gain(problem, head) != 0) active.push_back(head);
  }
  return active.empty() ? all : active;
}

Matrix mean_weights(const Trace& trace, std::span<const Index> heads) {
  if (heads.empty()) return {};
  Matrix sum = weights_of(trace, heads.front());
  for (const Index head : heads.subspan(1)) sum += weights_of(trace, head);
  return sum / static_cast<float>(heads.size());
}

Trace with_mean_weights(const Problem& problem, Trace trace) {
  const SharedMatrix mean(mean_weights(trace, active_heads(problem)));
  for (auto& head : trace.heads) head.weights = mean;
  return trace;
}

Matrix largest_weights(const Trace& trace, std::span<const Index> heads) {
  if (heads.empty()) return {};
  Matrix largest = weights_of(trace, heads.front());
  for (const Index head : heads.subspan(1)) {
    largest = largest.binaryExpr(weights_of(trace, head), [](float a, float b) {
      return std::isnan(a) || a > b ? a : b;  // NaN is kept
    });
  }
  return largest;
}

Trace with_largest_weights(const Problem& problem, Trace trace) {
  const SharedMatrix largest(largest_weights(trace, active_heads(problem)));
  for (auto& head : trace.heads) head.weights = largest;
  return trace;
}

Matrix difference(const MatrixView& from, const MatrixView& to) {
  if (from.rows() != to.rows() || from.cols() != to.cols()) {
    throw std::invalid_argument("a difference needs equal shapes, not " +
                                shape_text(from.rows(), from.cols()) + " and " +
                                shape_text(to.rows(), to.cols()));
  }
  Matrix result(to.rows(), to.cols());
  for (Index i = 0; i < to.rows(); ++i) {
    for (Index j = 0; j < to.cols(); ++j) {
      result(i, j) = same(from(i, j), to(i, j)) ? 0.0f : to(i, j) - from(i, j);
    }
  }
  return result;
}

bool changed_more(const DifferenceCell& a, const DifferenceCell& b) {
  return std::tuple(-distance(a), a.row, a.col) < std::tuple(-distance(b), b.row, b.col);
}

std::vector<DifferenceCell> most_changed(const MatrixView& difference, Index count) {
  std::vector<DifferenceCell> most;
  if (count <= 0) return most;
  for (Index i = 0; i < difference.rows(); ++i) {
    for (Index j = 0; j < difference.cols(); ++j) {
      const float by = difference(i, j);
      if (by != 0.0f) offer(most, static_cast<size_t>(count), {i, j, by});
    }
  }
  return most;
}

float largest_change(const MatrixView& difference) {
  float largest = 0;
  for (Index i = 0; i < difference.rows(); ++i) {
    for (Index j = 0; j < difference.cols(); ++j) {
      if (std::isfinite(difference(i, j))) largest = std::max(largest, std::abs(difference(i, j)));
    }
  }
  return largest;
}

}  // namespace attention
