#pragma once

#include "core/layer/positions.h"
#include "core/network/generation/row_buffer.h"
#include "core/network/interventions.h"
#include "core/network/network.h"
#include "core/network/row_functions.h"
#include "core/numerics/thread_pool.h"
#include "core/relative_positions.h"

namespace attention::network {

/// The interventions in one sublayer.
struct LayerInterventions {
  const Interventions* all = nullptr;  ///< null: none
  LayerId at;

  /// True when a number of this sublayer is overridden.
  bool any_override() const;
  /// True when one of that stage is, of `head` (from 0; 0 for stages without heads).
  bool any_override(Stage stage, Index head) const;
};

/// Writes what replaces numbers of `stage` in `head` (from 0; 0 for stages without heads) into
/// `rows`, which are some of the stage's from `first_row` on: first a patch, then overrides.
void replace(const LayerInterventions& interventions, Stage stage, Index head, Index first_row,
             MatrixSlot rows);

/// The factor of the output of `head`, see head_gain().
float gain_of(const LayerInterventions& interventions, Index head);

/// kDouble for an attention whose scores are neither divided by √d_k nor made of normalised
/// queries: they are large, and softmax turns their rounding, and that of all that they are
/// computed from, into relative errors of the weights.
Precision precision_of(const Attention& attention);

/// The score without a key of `head` (from 0), see Config::sink; kNoSink where there is none.
float sink_of(const Attention& attention, Index head);

/// The projections of one attention sublayer: normalised, rotated queries and keys, and values.
struct Projected {
  std::vector<RowBuffer> parts;  ///< one for each of Attention::projections, [n × its columns]
  /// The keys of all heads in latent attention, [n × n_kv_heads·head_dim]: those of the parts with
  /// the rotary part that all share. Those of another layer where this one uses them.
  RowBuffer keys;
  RowBuffer values;  ///< those of another layer where this one uses them, [n × n_kv_heads·d_v]
  /// Keys and queries of the distances of a text, where they are compared: [distances × …], the
  /// heads side by side, as the maps give them.
  Matrix position_keys, position_queries;
  DistanceRows distances = {};
};

/// The columns of `projected` that hold the queries of `head`: [n × head_dim].
MatrixView queries_of(const Attention& attention, const Projected& projected, Index head);
/// The same for the keys that query head `head` uses.
MatrixView keys_of(const Attention& attention, const Projected& projected, Index head);
/// The same for its values: [n × d_v].
MatrixView values_of(const Attention& attention, const Projected& projected, Index head);

/// The layer whose keys and values another one uses, see Attention::key_layer.
struct KeySource {
  const Attention& attention;
  const Projected& projected;
};

/// The columns of `projected` that hold the keys of distances of `head`: [distances × head_dim];
/// empty where they are not compared.
MatrixView position_keys_of(const Attention& attention, const Projected& projected, Index head);
/// The same for their queries.
MatrixView position_queries_of(const Attention& attention, const Projected& projected, Index head);

/// Updates the projections of a self-attention from row `first_row` on, from those rows of what it
/// reads, x [n × d_model]. Where x holds several texts of `text_rows` rows each below each other,
/// positions and interventions begin again with each; 0: it is one text. `source` holds the keys
/// and values of another layer where this one uses them; null where it has its own.
void update_projections(const Attention& attention, const MatrixView& rows, Index first_row,
                        const LayerInterventions& interventions, ThreadPool& pool,
                        Projected& projected, Index text_rows = 0,
                        const KeySource* source = nullptr);

/// The same for cross-attention, whose keys and values come from all rows of X_kv [n_keys ×
/// d_model]; with a `first_row` above 0 they are kept.
void update_cross_projections(const Attention& attention, const MatrixView& rows, Index first_row,
                              const MatrixView& X_kv, const LayerInterventions& interventions,
                              ThreadPool& pool, Projected& projected);

/// Updates the rows from `first_row` on of `weights` as attend() does, and returns those rows of
/// concat [n × n_heads·d_v].
Matrix mix_heads(const Attention& attention, const Projected& projected, Index first_row,
                 const LayerInterventions& interventions, ThreadPool& pool, Matrix& weights);

/// The same, but keeps no weights: `projected` has just been updated from row `first_row` on.
Matrix mix_last_rows(const Attention& attention, const Projected& projected, Index first_row,
                     const LayerInterventions& interventions, ThreadPool& pool);

/// Some rows that follow each other.
struct RowRange {
  Index first, count;
};

/// The rows `rows` of concat of each of several texts, of `text_rows` rows each, below each other:
/// [texts · rows.count × n_heads·d_v].
Matrix mix_heads_of_texts(const Attention& attention, const Projected& projected, Index text_rows,
                          const RowRange& rows, const LayerInterventions& interventions,
                          ThreadPool& pool);

/// Updates the rows from `first_row` on of `weights` [n_heads·n × n_keys], those of head h from row
/// h·n on, and returns those rows of concat W_O + b_O.
Matrix attend(const Attention& attention, const Projected& projected, Index first_row,
              const LayerInterventions& interventions, ThreadPool& pool, Matrix& weights);

/// The same, but keeps no weights, see mix_last_rows().
Matrix attend_last_rows(const Attention& attention, const Projected& projected, Index first_row,
                        const LayerInterventions& interventions, ThreadPool& pool);

}  // namespace attention::network
