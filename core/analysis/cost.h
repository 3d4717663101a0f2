#pragma once

#include <cstdint>
#include <vector>

#include "core/problem.h"

namespace attention {

/// constant + linear · n + quadratic · n², n the number of queries. In self-attention the number of
/// keys is n as well; in cross-attention it is a given number and part of the coefficients.
struct Polynomial {
  std::int64_t constant = 0;
  std::int64_t linear = 0;
  std::int64_t quadratic = 0;

  /// The value at n ≥ 0.
  std::int64_t at(std::int64_t n) const { return constant + (linear + quadratic * n) * n; }
  Polynomial& operator+=(const Polynomial& other);
  bool operator==(const Polynomial&) const = default;
};

/// The cost of one stage, over all heads.
///
/// A multiply-add is a · b + c. A product [m × k] · [k × n] has exactly m · k · n of them; a sum
/// starts from the bias, which costs nothing. Every pair of query and key counts, masked or not,
/// and every head, muted or not, because all are computed. In elementwise stages each addition or
/// subtraction, product, quotient, exponential, sine, cosine, tanh and root counts as one, and so
/// does a product with the addition right after it; comparisons and copies are not counted. So each
/// number costs
///
///     position         1 sinusoidal (a sine or cosine); 0 learned (a copy)
///     X                1
///     normed_Q, _K     2 (the square's sum, the scaling), 1 more with norm_Q or norm_K, and 3 for
///                      each row (a quotient, epsilon, the root)
///     rotated_Q, _K    2 (a product, a multiply-add; the table of angles is not counted)
///     scaled_scores    1
///     capped_scores    3 (a quotient, the tanh, a product)
///     masked_scores    1 with a bias and 1 with ALiBi (the slope times the distance, subtracted)
///     weights          4 (minus the maximum, the exponential, the sum, the quotient)
///     dropped_weights  1
///     concat           1 in heads whose gain is neither 0 nor 1
///     residual         1
///     layer_norm       4 (the mean's sum, the deviation, its square's sum, the scaling),
///                      1 more with gamma or beta, and 4 for each row (two quotients, epsilon,
///                      the root)
///
/// A stage that is active only because of its overrides computes nothing.
struct StageCost {
  Stage stage = Stage::kX;
  Polynomial multiply_adds;
  Polynomial bytes;  ///< of the stage's numbers, 4 each; matrices that heads share count once
};

/// The cost of a layer.
struct Cost {
  std::vector<StageCost> stages;  ///< every active stage, in the order of the formula
  Polynomial multiply_adds;       ///< of all stages
  Polynomial bytes;               ///< of all stages, without parameters and masks
};

/// The cost of `problem` as polynomials in its number of queries; at(problem.seq_len()) is that of
/// the problem itself. Precondition: validate() accepts `problem`.
Cost cost_of(const Problem& problem);

}  // namespace attention
