#pragma once

#include <vector>

#include "core/layer/trace.h"
#include "core/matrix_id.h"

namespace attention {

/// The number that is differentiated: Σ weights · stage, over all numbers of one stage. With a
/// single 1 it is one cell, with a row of ones the sum of a row.
struct Seed {
  Stage stage = Stage::kLayerNorm;
  Index head = 0;  ///< a query head, from 0; ignored for stages without heads
  Matrix weights;  ///< of the stage's shape
};

/// The seed that is one cell of a stage. Throws std::invalid_argument when there is no such stage,
/// head or cell in `problem`.
Seed cell_seed(const Problem& problem, Stage stage, Index head, Index row, Index col);

/// d(number) / d(each number of one query head's matrices); see ParameterGradients.
struct QueryGradients {
  Matrix W_Q, b_Q, sink;
};
/// The same for a key and value head.
struct KeyValueGradients {
  Matrix W_K, W_V, b_K, b_V;
};
/// d(number) / d(each parameter), with the members of Parameters. A matrix that does not move the
/// number, or is absent, has an empty one; numbers that are fixed (see is_fixed()) have 0.
struct ParameterGradients {
  std::vector<QueryGradients> heads;
  std::vector<KeyValueGradients> kv_heads;
  Matrix W_O, b_O, gamma, beta, norm_Q, norm_K;
};

/// d(number) / d(each number of PositionMaps).
struct PositionMapGradients {
  Matrix W_K, b_K, W_Q, b_Q;
};
/// d(number) / d(what scores by distance are computed from), with the members of RelativePositions.
/// Where they have no maps of their own, those of W_Q and W_K count what reaches them.
struct RelativeGradient {
  Matrix embedding;
  std::vector<PositionMapGradients> maps;
};

/// d(number) / d(everything that it is computed from), with the members of Problem, so that
/// for_each_matrix() takes it. What does not move the number has an empty matrix.
struct LayerGradient {
  Matrix embedding, embedding_kv, position_table, position_table_kv;
  Matrix allowed;  ///< always empty: a mask has no derivative
  Matrix bias;
  ParameterGradients parameters;
  std::vector<Matrix> head_bias;  ///< n_heads of them, or none without Problem::head_bias
  RelativeGradient relative;      ///< empty without Problem::relative
  std::vector<float> gains;       ///< of each head's factor in concat, see head_gain()

  /// d(number) / d(each number of each stage), as if it could be moved alone, the stages after it
  /// following; also of overridden ones. Heads that share keys and values share the gradients of K,
  /// V, normed_K, normed_V and rotated_K, which stand at the first of them, see stage_gradient().
  LayerStages<Matrix> stages;
};

/// The gradient of a stage for a query head, from 0; the embeddings included. Empty when it does
/// not move the number.
const Matrix& stage_gradient(const LayerGradient& gradient, const Problem& problem, Stage stage,
                             Index head);

/// The gradient of a matrix of that id; `head` as for matrix_of().
const Matrix& matrix_gradient(const LayerGradient& gradient, MatrixId id, Index head);

/// Matrices whose memory can be used again.
using SpareMatrices = std::vector<Matrix>;

/// The gradient of a number of a layer by everything that it is computed from, by the adjoints of
/// the stages backwards (reverse mode). Overridden numbers move what follows them and are moved by
/// nothing; nothing flows through a forbidden pair, a dropped weight, or a row without any allowed
/// key. `trace` is that of `problem`. Throws std::invalid_argument when the seed's stage is absent
/// or its weights have another shape.
LayerGradient gradient_of(const Problem& problem, const Trace& trace, const Seed& seed);

/// Computes gradients one after the other in the same memory, such as while a number is dragged.
class GradientEvaluator {
 public:
  /// As gradient_of(); valid until the next call.
  const LayerGradient& evaluate(const Problem& problem, const Trace& trace, const Seed& seed);

 private:
  LayerGradient gradient_;
  SpareMatrices spare_;
};

/// A number of a problem and how much it moves the one that was differentiated.
struct Sensitivity {
  MatrixId matrix;
  Index head = 0;  ///< as for matrix_of()
  Index row = 0, col = 0;
  float derivative = 0;
};

/// The numbers that move it most, by the size of the derivative, the largest first; equal ones in
/// the order of for_each_matrix(). At most `count`, and none whose derivative is 0. Those of `only`
/// if it is given.
std::vector<Sensitivity> strongest(const LayerGradient& gradient, std::size_t count,
                                   std::optional<MatrixId> only = {});

}  // namespace attention
