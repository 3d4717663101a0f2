#include "core/network/experts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/layer/stages.h"
#include "core/network/block_pass.h"

namespace attention::network {
namespace {

constexpr float kLeftOut = -std::numeric_limits<float>::infinity();

// Leaves out the experts of all but the best groups of a row.
void keep_groups(const Experts& experts, RowVector& shares) {
  const Index size = shares.size() / experts.groups;
  std::vector<std::pair<float, Index>> groups;
  for (Index group = 0; group < experts.groups; ++group) {
    std::vector<float> of_group(shares.data() + group * size, shares.data() + (group + 1) * size);
    std::ranges::sort(of_group, std::greater());
    const bool two = experts.group_rank == GroupRank::kTwoLargest && size > 1;
    groups.emplace_back(of_group[0] + (two ? of_group[1] : 0), group);
  }
  std::ranges::stable_sort(groups, std::greater(), &std::pair<float, Index>::first);
  for (std::size_t i = static_cast<std::size_t>(experts.chosen_groups); i < groups.size(); ++i)
    shares.segment(groups[i].second * size, size).setConstant(kLeftOut);
}

std::vector<Index> largest(const RowVector& shares, Index count) {
  std::vector<Index> experts(static_cast<std::size_t>(shares.size()));
  std::iota(experts.begin(), experts.end(), 0);
  const auto larger = [&](Index a, Index b) {
    return shares(a) != shares(b) ? shares(a) > shares(b) : a < b;
  };
  std::partial_sort(experts.begin(), experts.begin() + count, experts.end(), larger);
  experts.resize(static_cast<std::size_t>(count));
  return experts;
}

}  // namespace

Matrix expert_outputs(const Experts& experts, const Routing& routing, const MatrixView& rows,
                      Precision precision, ThreadPool& pool) {
  Matrix result = Matrix::Zero(rows.rows(), rows.cols());
  for (std::size_t expert = 0; expert < experts.experts.size(); ++expert) {
    const RoutedRows sent = rows_of_expert(routing, static_cast<Index>(expert));
    if (sent.rows.empty()) continue;
    const Matrix given = sent.of(rows);
    const Matrix output = compute_mlp(experts.experts[expert], given, precision, pool);
    for (std::size_t i = 0; i < sent.rows.size(); ++i)
      result.row(sent.rows[i]) +=
          routing.shares(sent.rows[i], sent.choices[i]) * output.row(static_cast<Index>(i));
  }
  return result;
}

Matrix normalised(const Norm& norm, const MatrixView& stream) {
  Matrix rows = stream;
  normalise(norm, rows);
  return rows;
}

Matrix expert_shares(const Experts& experts, const Matrix& logits) {
  Matrix shares = logits;
  if (experts.shares == ExpertShares::kSoftmax) {
    softmax_rows(logits, shares);
  } else {
    activate(Activation::kSigmoid, shares);
  }
  return shares;
}

Routing route(const Experts& experts, const MatrixView& rows, ThreadPool& pool) {
  Routing routing;
  routing.logits = project(rows, experts.router, Precision::kSingle, pool);
  const Matrix shares = expert_shares(experts, routing.logits);
  routing.shares.resize(rows.rows(), experts.chosen);
  RowVector correction = RowVector::Zero(shares.cols());
  if (!experts.correction.empty()) correction = experts.correction.values().row(0);
  for (Index row = 0; row < rows.rows(); ++row) {
    RowVector for_choice = shares.row(row) + correction;
    if (experts.groups > 1) keep_groups(experts, for_choice);
    const std::vector<Index> chosen = largest(for_choice, experts.chosen);
    for (Index i = 0; i < experts.chosen; ++i)
      routing.shares(row, i) = shares(row, chosen[static_cast<std::size_t>(i)]);
    routing.chosen.insert(routing.chosen.end(), chosen.begin(), chosen.end());
  }
  if (experts.normalised)
    routing.shares.array().colwise() /=
        routing.shares.rowwise().sum().array() + experts.added_to_sum;
  routing.shares *= experts.factor;
  if (experts.scales.empty()) return routing;
  const Matrix scales = experts.scales.values();
  for (Index row = 0; row < rows.rows(); ++row)
    for (Index i = 0; i < experts.chosen; ++i)
      routing.shares(row, i) *=
          scales(0, routing.chosen[static_cast<std::size_t>(row * experts.chosen + i)]);
  return routing;
}

Matrix RoutedRows::of(const MatrixView& matrix) const {
  Matrix taken(static_cast<Index>(rows.size()), matrix.cols());
  for (std::size_t i = 0; i < rows.size(); ++i)
    taken.row(static_cast<Index>(i)) = matrix.row(rows[i]);
  return taken;
}

RoutedRows rows_of_expert(const Routing& routing, Index expert) {
  RoutedRows sent;
  const Index choices = routing.shares.cols();
  for (std::size_t i = 0; i < routing.chosen.size(); ++i) {
    if (routing.chosen[i] != expert) continue;
    sent.rows.push_back(static_cast<Index>(i) / choices);
    sent.choices.push_back(static_cast<Index>(i) % choices);
  }
  return sent;
}

Matrix compute_feed_forward(const Block& block, const MatrixView& rows, const MatrixView& stream,
                            Precision precision, ThreadPool& pool) {
  Matrix result = block.mlp.absent() ? Matrix(Matrix::Zero(rows.rows(), rows.cols()))
                                     : compute_mlp(block.mlp, rows, precision, pool);
  if (!block.experts) return result;
  if (block.experts->shared_gate) {
    Matrix gate = project(rows, *block.experts->shared_gate, precision, pool);
    activate(Activation::kSigmoid, gate);
    result.array().colwise() *= gate.col(0).array();
  }
  const Experts& experts = *block.experts;
  if (!experts.norms) {
    result += expert_outputs(experts, route(experts, rows, pool), rows, precision, pool);
    return result;
  }
  const auto& [router, before, after, beside] = *experts.norms;
  const Routing routing = route(experts, normalised(router, stream), pool);
  Matrix outputs = expert_outputs(experts, routing, normalised(before, stream), precision, pool);
  normalise(after, outputs);
  normalise(beside, result);
  result += outputs;
  return result;
}

}  // namespace attention::network
