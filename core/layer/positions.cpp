#include "core/layer/positions.h"

#include <cmath>

namespace attention {
namespace {

constexpr double kSinusoidalBase = 10000.0;

}  // namespace

double sinusoidal_angle(Index position, Index col, Index d_model) {
  const Index even_col = col - col % 2;
  const double exponent = static_cast<double>(even_col) / static_cast<double>(d_model);
  return static_cast<double>(position) / std::pow(kSinusoidalBase, exponent);
}

Matrix sinusoidal_positions(Index seq_len, Index d_model) {
  Matrix result(seq_len, d_model);
  for (Index i = 0; i < seq_len; ++i) {
    for (Index d = 0; d < d_model; ++d) {
      const double angle = sinusoidal_angle(i, d, d_model);
      result(i, d) = static_cast<float>(d % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
  }
  return result;
}

Index rotary_pairs(const Problem& problem) {
  const SharedMatrix& table = problem.rotary_frequencies;
  return table.empty() ? problem.config.d_k / 2 : table->cols();
}

double rotary_angle(const Problem& problem, Index position, Index pair) {
  if (!problem.rotary_frequencies.empty())
    return static_cast<float>(position) * (*problem.rotary_frequencies)(0, pair);
  const Config& config = problem.config;
  const double exponent = -2.0 * static_cast<double>(pair) / config.d_k;
  return static_cast<double>(position) *
         std::pow(static_cast<double>(config.rotary_base), exponent);
}

RotaryColumns rotary_columns(const Problem& problem, Index pair) {
  const bool adjacent = problem.config.rotary_pairs == RotaryPairs::kAdjacent;
  const Index first = problem.rotary_first;
  if (adjacent) return {first + 2 * pair, first + 2 * pair + 1};
  return {first + pair, first + pair + rotary_pairs(problem)};
}

std::optional<Index> rotary_pair_of(const Problem& problem, Index col) {
  const Index pairs = rotary_pairs(problem);
  col -= problem.rotary_first;
  if (col < 0 || col >= 2 * pairs) return std::nullopt;
  return problem.config.rotary_pairs == RotaryPairs::kAdjacent ? col / 2 : col % pairs;
}

RotaryTable rotary_table(const Problem& problem, Index positions) {
  const Index pairs = rotary_pairs(problem);
  const double scale = problem.config.rotary_scale;
  RotaryTable table{Matrix(positions, pairs), Matrix(positions, pairs), problem.rotary_first};
  for (Index i = 0; i < positions; ++i) {
    for (Index pair = 0; pair < pairs; ++pair) {
      const double angle = rotary_angle(problem, i, pair);
      table.cosines(i, pair) = static_cast<float>(std::cos(angle) * scale);
      table.sines(i, pair) = static_cast<float>(std::sin(angle) * scale);
    }
  }
  return table;
}

}  // namespace attention
