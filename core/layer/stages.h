#pragma once

#include <span>

#include "core/layer/positions.h"
#include "core/layer/trace.h"

// The stages of the formula, one function each, in its order. Each writes into `result`, which must
// have the shape stated; operands and results may be whole matrices or matching rows and columns of
// them. All throw std::invalid_argument naming the operands and their shapes when the shapes do not
// fit.

namespace attention {

/// embedding + position, all [n × d_model]: X.
void add_positions(const MatrixView& embedding, const MatrixView& position, MatrixSlot result);

/// input W + b: [n × d] · [d × m] + [1 × m] → [n × m]. `b` may be empty: nothing is added.
void project(const MatrixView& input, const MatrixView& W, const MatrixView& b, MatrixSlot result);

/// Each row divided by its root mean square: x / √(mean of x² + epsilon) · weight (Zhang, Sennrich
/// 2019). weight is [1 × m] or empty: 1. Same shape; `result` may be the input.
void normalise_by_rms(const MatrixView& input, const MatrixView& weight, float epsilon,
                      MatrixSlot result);

/// Adds to `mean_squares` [n] what the rows of a head [n × m] give to the mean square of the rows
/// of `heads` such heads together: the mean of x² of each row, divided by `heads`.
void add_mean_squares(const MatrixView& input, Index heads,
                      Eigen::Ref<Eigen::VectorXd> mean_squares);

/// normalise_by_rms() with these mean squares [n] in place of those of the rows: x / √(mean square
/// + epsilon) · weight.
void normalise_by_mean_squares(const MatrixView& input,
                               const Eigen::Ref<const Eigen::VectorXd>& mean_squares,
                               const MatrixView& weight, float epsilon, MatrixSlot result);

/// normed_Q or normed_K [n × d_k] with each of the table's pairs of features rotated by the angle
/// of its position, which is `first_position` plus the row: (a, b) → (a cos − b sin, a sin + b
/// cos); further features stay. Same shape; `result` may be the input.
void rotate(const MatrixView& input, const RotaryTable& table, RotaryPairs pairs,
            Index first_position, MatrixSlot result);

/// Q Kᵀ: [n × d_k] · [m × d_k]ᵀ → [n × m].
void attention_scores(const MatrixView& Q, const MatrixView& K, MatrixSlot result);

/// scores · factor, see score_factor(). Same shape.
void scale_scores(const MatrixView& scores, float factor, MatrixSlot result);

/// cap · tanh(scaled / cap) of each number, or the number itself with a cap of 0. Same shape;
/// `result` may be the input.
void cap_scores(const MatrixView& scaled, float cap, MatrixSlot result);

/// Capped scores [n × kv_len] of the queries from `first_row` on, plus the problem's bias, minus
/// slope · |query − key| with ALiBi, and −∞ where the problem's masks forbid the pair. Same shape.
void mask_scores(const MatrixView& capped, const Problem& problem, Index head, Index first_row,
                 MatrixSlot result);

/// Softmax of each row: exp(x − max) / Σ exp(x − max), same shape. The maximum is subtracted so
/// that no exponential overflows; it cancels. An exponential below the smallest normal number,
/// about 1.2e−38, counts as 0. A row of −∞ only gives weights 0; a row with a NaN or +∞ gives NaN.
/// `sink` is one more number of each row, whose own share is left out.
void softmax_rows(const MatrixView& scores, MatrixSlot result, float sink = kNoSink);

/// What softmax_rows() leaves out of each row, in double precision: exp(sink − max) / Σ, [n]; 0
/// without a sink.
Eigen::VectorXd sink_shares(const MatrixView& scores, float sink);

/// Weights [n × kv_len] of the queries from `first_row` on: 0 where is_dropped() is true, the
/// others times dropout_factor(). Same shape.
void drop_weights(const MatrixView& weights, const Config& config, Index head, Index first_row,
                  MatrixSlot result);

/// weights V: [n × kv_len] · [kv_len × m] → [n × m].
void mix_values(const MatrixView& weights, const MatrixView& V, MatrixSlot result);

/// head_output · gain, the head's columns of concat; all 0 when the gain is 0, whatever head_output
/// holds. Same shape.
void mix_head(const MatrixView& head_output, float gain, MatrixSlot result);

/// X + output, all [n × d_out].
void add_residual(const MatrixView& X, const MatrixView& output, MatrixSlot result);

/// Each row normalised: (x − mean) / √(variance + epsilon) · gamma + beta, where the variance is
/// the mean square distance from the mean (Ba, Kiros, Hinton 2016). gamma and beta are [1 × m] or
/// empty: 1 and 0. Same shape; `result` may be the input.
void normalise_rows(const MatrixView& input, const MatrixView& gamma, const MatrixView& beta,
                    float epsilon, MatrixSlot result);

}  // namespace attention
