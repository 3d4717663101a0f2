#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/explain/reason.h"
#include "core/layer/trace.h"

namespace attention {

/// Identifies one number of one stage or parameter.
struct CellRef {
  /// What the number belongs to: the name of a stage or of an input: "W_Q", "W_K", "W_V", "W_O",
  /// "b_Q", "b_K", "b_V", "b_O", "bias", "head_bias", "gamma", "beta", "norm_Q", "norm_K",
  /// "sink", "position_table", "position_table_kv".
  /// Numbers that belong to no matrix: "cos" and "sin" of the angle of a rotary position (row is
  /// the position, col the pair), "slope" of ALiBi in `head`, "distance" between query and key (row
  /// and col), "gain" of `head`, "P_K" and "P_Q" of a head (row is that of the distance, see
  /// RelativePositions, col the feature). The characters have static lifetime.
  std::string_view matrix;
  Index head = 0;  ///< from 0; 0 where there is only one; for W_K, W_V, b_K, b_V, K, V, normed_K,
                   ///< rotated_K: the query head being explained
  Index row = 0;
  Index col = 0;
  bool operator==(const CellRef&) const = default;
};

/// One operand: its cell and its value. The value is that of the cell, except that "sin" and
/// "distance" carry the sign with which they enter the sum.
struct Operand {
  CellRef cell;
  float value = 0;
};

/// One term of a sum: a · b, or a alone when there is no b.
struct Term {
  Operand a;
  std::optional<Operand> b;
  double product = 0;  ///< a · b in double precision; 0 for a gain of 0, whatever it multiplies
  double running_sum = 0;  ///< the sum of all terms up to this one
};

/// The parts of one softmax weight: exp(x − maximum) / denominator.
struct SoftmaxDetails {
  float maximum = 0;                 ///< largest score of the row, or the sink
  std::vector<double> exponentials;  ///< exp(x_j − maximum) for every key j
  std::optional<Operand> sink;       ///< the score without a key, where there is one (Config::sink)
  double of_sink = 0;                ///< exp(sink − maximum)
  double denominator = 0;            ///< the sum of all; 0 when the row has nothing to attend to
};

/// The parts of one normalised number: (x − mean) / √(variance + epsilon) · gamma + beta.
struct LayerNormDetails {
  double mean = 0;      ///< of the row
  double variance = 0;  ///< mean square distance from the mean (divided by d_out)
  double epsilon = 0;
  double normalised = 0;  ///< (x − mean) / √(variance + epsilon)
  float gamma = 1;
  float beta = 0;
};

/// The parts of one number of normed_Q, normed_K or normed_V: x / √(mean_square + epsilon) ·
/// weight.
struct HeadNormDetails {
  double mean_square = 0;  ///< of the row; with Config::head_norm_joint of those of all heads
  double epsilon = 0;
  double normalised = 0;  ///< x / √(mean_square + epsilon)
  float weight = 1;       ///< of norm_Q or norm_K; 1 of normed_V
  Index weight_col = 0;   ///< the column of that matrix in which it stands
};

/// The arithmetic behind one cell.
struct Explanation {
  Stage stage = Stage::kScores;
  Index head = 0, row = 0, col = 0;
  float value = 0;        ///< the value in the trace
  double recomputed = 0;  ///< the value that the parts below give in double precision
  /// The terms of the sum: products (projections, scores, outputs, rotations, the penalty of ALiBi,
  /// a head times its gain), the bias of a projection last; for the other stages the operands
  /// themselves. Of projections that read a part of X (see Problem::input_parts) those of that
  /// part. weights: only the score; layer_norm, normed_Q, normed_K and normed_V: only the number
  /// that is normalised; capped_scores: only the number that is capped. Empty for embeddings and
  /// sinusoidal positions, which have no operands.
  std::vector<Term> terms;
  double factor = 1;  ///< scaled_scores, dropped_weights: the factor of the operand; 0 for a
                      ///< dropped weight
  std::optional<Index> distance;  ///< content_to_position and position_to_content only: query −
                                  ///< key, in tokens
  std::optional<SoftmaxDetails> softmax;       ///< weights only
  std::optional<LayerNormDetails> layer_norm;  ///< layer_norm only, where it is on
  std::optional<HeadNormDetails> head_norm;  ///< normed_Q, normed_K and normed_V, where they are on
  double cap = 0;                            ///< capped_scores only, where there is one
  double angle = 0;             ///< radians; rotated_Q, rotated_K and sinusoidal positions only
  std::vector<Reason> reasons;  ///< why the cell is masked, dropped or muted; else empty
  bool overridden = false;      ///< the value is an override; the parts describe what it replaces
};

/// The stage whose numbers `stage` repeats, apart from overrides, because it is switched off: Q for
/// rotated_Q without rotary positions, X for X_kv without a second sentence. Nothing when it is
/// computed or absent.
std::optional<Stage> repeated_stage(const Problem& problem, Stage stage);

/// The arithmetic of cell (row, col) of `stage` in `head` (from 0; ignored where the stage has no
/// heads). An operand is named after the last active stage before this one (is_active), except that
/// X and X_kv keep their names even when they are the embedding itself. The single operand of an
/// inactive stage is therefore the cell it is identical to, and following the operands leads back
/// to embeddings and parameters. Throws std::out_of_range when there is no such cell.
Explanation explain(const Problem& problem, const Trace& trace, Stage stage, Index head, Index row,
                    Index col);

}  // namespace attention
