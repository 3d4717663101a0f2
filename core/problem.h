#pragma once

#include <optional>
#include <vector>

#include "core/config.h"
#include "core/layer/stage_info.h"
#include "core/relative_positions.h"
#include "core/shared_matrix.h"

namespace attention {

/// The query projection of one head. An empty bias is absent.
struct QueryParameters {
  SharedMatrix W_Q;     ///< [d_model × d_k]
  SharedMatrix b_Q;     ///< [1 × d_k] or empty
  SharedMatrix sink{};  ///< [1 × 1], the score without a key (Config::sink); empty: 0
};

/// The key and value projections of one key and value head.
struct KeyValueParameters {
  SharedMatrix W_K;  ///< [d_model × d_k]
  SharedMatrix W_V;  ///< [d_model × d_v]
  SharedMatrix b_K;  ///< [1 × d_k] or empty
  SharedMatrix b_V;  ///< [1 × d_v] or empty
};

/// Every weight of the layer.
struct Parameters {
  std::vector<QueryParameters> heads;        ///< n_heads of them
  std::vector<KeyValueParameters> kv_heads;  ///< kv_head_count(config) of them
  SharedMatrix W_O;                          ///< [n_heads·d_v × d_out]
  SharedMatrix b_O;                          ///< [1 × d_out] or empty
  SharedMatrix gamma;  ///< [1 × d_out], multiplies the normalised row; empty: all 1
  SharedMatrix beta;   ///< [1 × d_out], added after that; empty: all 0
  /// [1 × d_k], multiply the normalised queries and keys of every head (Config::head_norm); with
  /// Config::head_norm_joint [1 × n_heads·d_k] and [1 × n_kv_heads·d_k], those of each head beside
  /// those of the one before; empty: all 1.
  SharedMatrix norm_Q{}, norm_K{};
};

/// How much of a head's output reaches concat.
struct HeadMix {
  bool mute = false;   ///< none of it
  bool solo = false;   ///< none of the heads that are not solo
  float scale = 1.0f;  ///< multiplies its output

  /// Compares the scale bit for bit.
  bool operator==(const HeadMix& other) const {
    return mute == other.mute && solo == other.solo && same_bits(scale, other.scale);
  }
};

/// A number that replaces a computed one; the stages after it are computed from it.
struct Override {
  Stage stage = Stage::kScores;
  Index head = 0;  ///< from 0; 0 for stages without heads; for K, V, normed_K, normed_V and
                   ///< rotated_K, the first of the heads that share them
  Index row = 0;
  Index col = 0;
  float value = 0;

  /// Compares the value bit for bit.
  bool operator==(const Override& other) const {
    return stage == other.stage && head == other.head && row == other.row && col == other.col &&
           same_bits(value, other.value);
  }
};

/// The parts of X in a layer of a trained network with multi-head latent attention (DeepSeek-AI
/// 2024, 2.1), in this order. Numbers of W_Q, W_K and W_V for the other parts are 0, and the last
/// part is copied into every key, see is_fixed().
struct InputParts {
  Index query = 0;      ///< features that queries are computed from
  Index key_value = 0;  ///< those that keys and values are computed from: the compressed row
  Index key = 0;        ///< the rotary part of the keys, which are their last features
  bool compressed_query = false;  ///< queries have a compressed row, too; else they read the stream
  bool operator==(const InputParts&) const = default;
};

/// Everything the formula reads: MultiHead(X, X_kv) under `config`. Plain data; copying shares
/// the matrices.
struct Problem {
  Config config;
  SharedMatrix embedding;          ///< [seq_len × d_model], the queries' side
  SharedMatrix embedding_kv;       ///< [kv_len × d_model], keys and values; empty: self-attention
  SharedMatrix position_table;     ///< [≥ seq_len × d_model], row i for position i; read with
                                   ///< learned positions only
  SharedMatrix position_table_kv;  ///< [≥ kv_len × d_model]; empty: position_table is used
  Parameters parameters;
  SharedMatrix allowed;  ///< [seq_len × kv_len], 0: the pair is forbidden; empty: no such mask
  SharedMatrix bias;     ///< [seq_len × kv_len], added to the scaled scores; empty: none
  /// The same for each head, in layers of trained networks (T5's buckets of distances); empty:
  /// none.
  std::vector<SharedMatrix> head_bias;
  /// [1 × pairs], read with rotary positions: pair i is rotated by position · rotary_frequencies(i)
  /// radians, and features outside the pairs are not rotated; empty: d_k / 2 pairs by rotary_base.
  SharedMatrix rotary_frequencies;
  Index rotary_first = 0;  ///< the first feature that is rotated; read with rotary_frequencies
  std::optional<RelativePositions> relative;  ///< scores by distance; unset: none
  /// What X consists of where queries, keys and values are computed from different parts of it.
  std::optional<InputParts> input_parts;
  /// In a layer of a trained network that uses the keys and values of another one: that layer,
  /// which reads embedding_kv, of the same tokens; see Attention::key_layer.
  std::optional<Index> key_layer;
  std::vector<HeadMix> head_mix;    ///< n_heads of them, or empty: every head unchanged
  std::vector<Override> overrides;  ///< at most one per cell

  /// True when keys and values come from a second sentence.
  bool cross() const { return !embedding_kv.empty(); }
  /// True when that sentence is a text of its own, not one that another layer reads.
  bool has_second_text() const { return cross() && !key_layer; }
  /// Number of queries.
  Index seq_len() const { return embedding->rows(); }
  /// Number of keys: the rows of embedding_kv, or of embedding in self-attention.
  Index kv_len() const { return cross() ? embedding_kv->rows() : embedding->rows(); }
  /// The table that the keys' learned positions are read from.
  const SharedMatrix& kv_position_table() const {
    return cross() && !position_table_kv.empty() ? position_table_kv : position_table;
  }
  /// The key and value projections used by query head `head` (from 0).
  const KeyValueParameters& kv_parameters(Index head) const {
    return parameters.kv_heads[static_cast<size_t>(kv_head_of(config, static_cast<int>(head)))];
  }
  /// True when both config.mask and `allowed` let query `row` attend to key `col`.
  bool may_attend(Index row, Index col) const;
};

/// True when the stage is a separate step in `problem`; an inactive stage is either absent (the
/// keys' side in self-attention, a position when none is added, scores by distance when there are
/// none) or identical to the stage before it: X without positions, normed_Q and normed_K without
/// head_norm, normed_V without value_norm, rotated_Q and rotated_K without rotary positions,
/// summed_scores without scores by distance, scaled_scores with a factor of 1, capped_scores
/// without a score_cap, masked_scores without mask, bias and ALiBi, dropped_weights without
/// dropout, residual and layer_norm when they are off. A stage with an override is active.
bool is_active(const Problem& problem, Stage stage);

/// The same, ignoring overrides: whether the stage is computed, rather than absent or identical to
/// the one before it.
bool is_switched_on(const Problem& problem, Stage stage);

/// True when cell (row, col) of `stage` is overridden for query head `head` (all from 0): heads
/// that share keys and values share their overrides, and `head` is ignored for stages without
/// heads.
bool is_overridden(const Problem& problem, Stage stage, Index head, Index row, Index col);

/// The factor applied to the output of `head` (from 0) in concat: 0 when it is muted, or when other
/// heads are solo and it is not; otherwise its scale.
float head_gain(const Problem& problem, Index head);

/// The score without a key that the rows of `head` (from 0) attend to, see Config::sink; −∞, which
/// takes nothing, when there is none.
float sink_of(const Problem& problem, Index head);

/// ALiBi's slope of `head` (from 0) among `n_heads`: 2^(−8 (head + 1) / n_heads) where n_heads is a
/// power of two; otherwise the slopes for the next smaller power of two, followed by every other
/// slope for the next larger one (Press et al. 2021, and their code).
float alibi_slope(int head, int n_heads);

/// The stage that `stage` is identical to when it is inactive: StageInfo::repeats, except X for
/// X_kv without a second sentence. Nothing for a stage that is then absent, or that is always
/// active.
std::optional<Stage> stage_before(const Problem& problem, Stage stage);

/// `stage`, or the last active stage before it (is_active), which has the same numbers and gives
/// them their name. Precondition: `stage` is not absent.
Stage last_step(const Problem& problem, Stage stage);

/// The shape of `stage` in `problem`; 0 × 0 when it is absent.
Shape stage_shape(const Problem& problem, Stage stage);

/// Throws std::invalid_argument naming both numbers when `parameters` has a different number of
/// heads than `config`.
void validate_head_counts(const Parameters& parameters, const Config& config);

/// Throws std::invalid_argument as validate(problem.config) does; naming the matrix, the shape it
/// has and the shape it should have when any matrix does not fit the config; when the number of
/// heads of the parameters or mixes is wrong; when there are no tokens, or when seq_len, kv_len,
/// the number of scores or the number of all values is beyond Limits; or when an override names a
/// stage, head or cell that does not exist, an input, a head that is not the first of those that
/// share the matrix, or a cell that another one names. The values in matrices, mixes and overrides
/// are not checked.
void validate(const Problem& problem);

}  // namespace attention
