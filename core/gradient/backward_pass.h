#pragma once

#include <vector>

#include "core/gradient/layer_gradient.h"
#include "core/layer/positions.h"
#include "core/layer/trace.h"

namespace attention {

/// The softmax of some rows: weights [rows × kv_len], and what is left to the sink of each row.
struct Softmax {
  Matrix weights;
  Eigen::VectorXd sink_shares;
};

/// Goes through the stages of a layer backwards, from that of the seed, and collects the gradient.
/// Only the queries that the seed weighs are visited: a cell costs the adjoints of its row, and
/// those of all keys.
class BackwardPass {
 public:
  /// What is referred to must outlive the pass. Precondition: the seed fits the problem.
  /// Matrices are taken from `spare` where their sizes fit.
  BackwardPass(const Problem& problem, const Trace& trace, const Seed& seed, SpareMatrices& spare);

  /// The gradient; once.
  LayerGradient run() &&;

 private:
  struct Rows {
    Index first = 0, count = 0;
  };
  // The stages from a projection to what the scores are computed from.
  struct Side {
    Stage projected, normed, rotated;
    Index head;
    Rows rows;
    const SharedMatrix& norm;  // the parameter
    Matrix& d_norm;
    Index number;  // of the query head, or of the key and value head
  };
  struct Projection {
    Stage input, result;
    Index head;
    Rows rows;
    const SharedMatrix &W, &b;
    Matrix &d_W, &d_b;
  };

  void place_seed(const Seed& seed);
  void pass_layer_output();
  void pass_concat();
  void pass_attention(Index head);
  void pass_weights(Index head);
  void pass_masks(Index head);
  void pass_scores(Index head);
  void pass_sum(Index head);
  void pass_position_scores(Index head, Stage stage);
  void pass_queries(Index head);
  void pass_keys(Index kv_head);
  Side query_side(Index head);
  Side key_side(Index kv_head);
  void pass_rotation(const Side& side);
  void pass_norm(const Side& side);
  void pass_value_norm(Index head);
  void pass_norms_together(const std::vector<Side>& sides);
  void pass_sides();
  void pass_projection(const Projection& projection);
  void pass_input(Stage X, Stage position, Matrix& embedding, Matrix& table,
                  const SharedMatrix& table_of);

  Index holder(Stage stage, Index head) const;
  Shape shape_of(Stage stage) const;
  const Matrix& value(Stage stage, Index head) const;
  Matrix& zeroed(Matrix& matrix, const Shape& shape);
  Matrix& zeroed(Matrix& matrix, const SharedMatrix& like);
  Matrix& requested(Matrix& matrix, const SharedMatrix& parameter);
  Matrix& d(Stage stage, Index head = 0);
  bool reaches(Stage stage, Index head = 0) { return d(stage, head).size() > 0; }
  Matrix& ready(Stage stage, Index head = 0);
  const Matrix& flow(Stage stage, Index head = 0);
  Softmax computed_weights(Index head) const;
  const RotaryTable& rotary();

  const Problem& problem_;
  const Trace& trace_;
  SpareMatrices& spare_;
  LayerGradient gradient_;
  Rows rows_;           // of the queries that the seed weighs
  Matrix cut_;          // scratch of flow()
  RotaryTable rotary_;  // once it is needed
};

/// True when scores of these queries of `head` are so large that the rounding of Q and K in float32
/// changes their weights by more than about a hundred-thousandth: a score that is off by δ changes
/// its weight by the fraction δ.
bool has_large_scores(const Trace& trace, Index head, Index first_row, Index rows);

/// The softmax of `head` for the queries first_row … first_row + rows − 1, without overridden
/// weights: from X in double precision, the weights rounded at the end.
Softmax precise_weights(const Problem& problem, const Trace& trace, Index head, Index first_row,
                        Index rows);

}  // namespace attention
