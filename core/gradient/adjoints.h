#pragma once

#include "core/layer/positions.h"
#include "core/problem.h"

// The adjoints of the stages in core/layer/stages.h, one function each, in the order of the formula
// backwards. `d` is d(number) / d(result of the stage), for the number that is differentiated; each
// function adds d(number) / d(operand) to `d_operand`, which has the operand's shape. Operands may
// be matching rows of whole matrices. They follow from the chain rule; for products see Griewank,
// Walther (2008), Evaluating Derivatives.

namespace attention {

/// Of normalise_rows(): with x̂ the normalised row and σ its root, (g − mean(g) − x̂ mean(g x̂)) / σ
/// for g = d · gamma. d_gamma and d_beta, [1 × m], may be empty: they are not requested.
void normalise_rows_adjoint(const MatrixView& input, const MatrixView& gamma, float epsilon,
                            const MatrixView& d, MatrixSlot d_input, MatrixSlot d_gamma,
                            MatrixSlot d_beta);

/// Of project(): d Wᵀ, inputᵀ d, and the sum of the rows of d. d_b may be empty: it is not
/// requested.
void project_adjoint(const MatrixView& input, const MatrixView& W, const MatrixView& d,
                     MatrixSlot d_input, MatrixSlot d_W, MatrixSlot d_b);

/// Of mix_head(): d · gain, which adds nothing with a gain of 0. Returns what it adds to
/// d(number) / d(gain).
float mix_head_adjoint(const MatrixView& head_output, float gain, const MatrixView& d,
                       MatrixSlot d_head_output);

/// Of mix_values(): d Vᵀ and weightsᵀ d.
void mix_values_adjoint(const MatrixView& weights, const MatrixView& V, const MatrixView& d,
                        MatrixSlot d_weights, MatrixSlot d_V);

/// Of drop_weights(): 0 where the weight is dropped, the others times dropout_factor().
void drop_weights_adjoint(const Config& config, Index head, Index first_row, const MatrixView& d,
                          MatrixSlot d_weights);

/// Of softmax_rows(), whose result is `weights`, and `shares` what it left to the sink, see
/// sink_shares(): weight · (d − Σ weight · d) in each row. Returns what it adds to d(number) /
/// d(sink): −share · Σ weight · d of each row.
float softmax_rows_adjoint(const MatrixView& weights, const Eigen::VectorXd& shares,
                           const MatrixView& d, MatrixSlot d_scores);

/// Of mask_scores(), for the queries from `first_row` on: 0 where the pair is forbidden. What is
/// added to the capped scores is added to those of the bias too.
void mask_scores_adjoint(const Problem& problem, Index first_row, const MatrixView& d,
                         MatrixSlot d_capped);

/// Of cap_scores(): d · (1 − tanh²(scaled / cap)); d itself with a cap of 0.
void cap_scores_adjoint(const MatrixView& scaled, float cap, const MatrixView& d,
                        MatrixSlot d_scaled);

/// Of attention_scores(): d K and dᵀ Q.
void attention_scores_adjoint(const MatrixView& Q, const MatrixView& K, const MatrixView& d,
                              MatrixSlot d_Q, MatrixSlot d_K);

/// Of scores_of_positions(), for the queries from `first_query` on, and all keys: each pair's
/// number to the row of its distance, and from there as attention_scores_adjoint() does.
void scores_of_positions_adjoint(const MatrixView& Q, const MatrixView& position_keys,
                                 const DistanceRows& distances, Index first_query,
                                 const MatrixView& d, const MatrixSlot& d_Q,
                                 const MatrixSlot& d_position_keys);
/// Of scores_by_positions(), likewise.
void scores_by_positions_adjoint(const MatrixView& K, const MatrixView& position_queries,
                                 const DistanceRows& distances, Index first_query,
                                 const MatrixView& d, const MatrixSlot& d_K,
                                 const MatrixSlot& d_position_queries);

/// Of rotate(): each pair rotated back.
void rotate_adjoint(const RotaryTable& table, RotaryPairs pairs, Index first_position,
                    const MatrixView& d, MatrixSlot d_input);

/// Of normalise_by_rms(): with x̂ the normalised row and r its root, (g − x̂ mean(g x̂)) / r for
/// g = d · weight. d_weight, [1 × m], may be empty: it is not requested.
void normalise_by_rms_adjoint(const MatrixView& input, const MatrixView& weight, float epsilon,
                              const MatrixView& d, MatrixSlot d_input, MatrixSlot d_weight);

/// What the heads of rows that are normalised together have in common, see
/// normalise_by_mean_squares().
struct JointRows {
  Eigen::VectorXd roots;  ///< [n]: √(mean square + epsilon)
  Eigen::VectorXd along;  ///< [n]: mean(g x̂) over all heads, with x̂ and g as above
};

/// Adds to all.along what a head gives to it, which is one of `heads`.
void add_along(const MatrixView& input, const MatrixView& weight, const MatrixView& d, Index heads,
               JointRows& all);

/// Of normalise_by_mean_squares() of one head, and of what it gives to the mean squares of all:
/// (g − x̂ along) / root. d may be empty: 0. d_weight, [1 × m], may be empty: it is not requested.
void normalise_jointly_adjoint(const MatrixView& input, const MatrixView& weight,
                               const JointRows& all, const MatrixView& d, MatrixSlot d_input,
                               MatrixSlot d_weight);

}  // namespace attention
