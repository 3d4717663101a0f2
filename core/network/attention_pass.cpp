#include "core/network/attention_pass.h"

#include <algorithm>
#include <limits>

#include "core/layer/relative_scores.h"
#include "core/layer/stages.h"
#include "core/network/encoders/distance_scores.h"
#include "core/network/latent_input.h"
#include "core/network/positions.h"
#include "core/network/row_functions.h"
#include "core/numerics/kernels.h"

namespace attention::network {
namespace {

constexpr float kForbidden = -std::numeric_limits<float>::infinity();

// Where the queries, keys or values of a head stand.
struct HeadPlace {
  const RowBuffer Projected::*apart;  // null: it is in Projected::parts
  std::size_t part;                   // of them
  Index first, count;                 // columns of it
};

HeadPlace queries_place(const Attention& attention, Index head) {
  return {nullptr, attention.query.projection, attention.query.of_head(head), attention.head_dim};
}

HeadPlace keys_place(const Attention& attention, Index kv_head) {
  const Index count = attention.head_dim;
  if (attention.latent || attention.key_layer) return {&Projected::keys, 0, kv_head * count, count};
  return {nullptr, attention.key.projection, attention.key.of_head(kv_head), count};
}

HeadPlace values_place(const Attention& attention, Index kv_head) {
  const Index count = attention.d_v();
  if (attention.key_layer) return {&Projected::values, 0, kv_head * count, count};
  return {nullptr, attention.value.projection, attention.value.of_head(kv_head), count};
}

const RowBuffer& matrix_at(const Projected& projected, const HeadPlace& place) {
  return place.apart != nullptr ? projected.*place.apart : projected.parts[place.part];
}

MatrixView view_of(const Projected& projected, const HeadPlace& place) {
  return matrix_at(projected, place).columns(place.first, place.count);
}

Index kv_head_of(const Attention& attention, Index head) {
  return head / (attention.n_heads / attention.n_kv_heads);
}

// One head while its rows from `first_row` on are computed.
struct HeadPass {
  const Attention& attention;
  MatrixView Q, K, V, P_Q, P_K;  // the last two of distances, or empty
  const DistanceRows& distances;
  Index head;
  Index first_row;
  const LayerInterventions& interventions;
};

HeadPass head_pass(const Attention& attention, const Projected& projected, Index head,
                   Index first_row, const LayerInterventions& interventions) {
  return {attention,
          queries_of(attention, projected, head),
          keys_of(attention, projected, head),
          values_of(attention, projected, head),
          position_queries_of(attention, projected, head),
          position_keys_of(attention, projected, head),
          projected.distances,
          head,
          first_row,
          interventions};
}

// The same head of one of several texts, whose rows are `text`.
HeadPass in_text(const HeadPass& all, const RowRange& text) {
  return {all.attention,
          all.Q.middleRows(text.first, text.count),
          all.K.middleRows(text.first, text.count),
          all.V.middleRows(text.first, text.count),
          all.P_Q,
          all.P_K,
          all.distances,
          all.head,
          all.first_row,
          all.interventions};
}

void intervene(const HeadPass& pass, Stage stage, const MatrixSlot& rows) {
  replace(pass.interventions, stage, pass.head, pass.first_row, rows);
}

void mask(const Attention& attention, Index first_row, MatrixSlot scores) {
  const Index keys = scores.cols();
  for (Index i = 0; i < scores.rows(); ++i) {
    const Index query = first_row + i;
    auto row = scores.row(i);
    if (attention.causal) row.tail(keys - query - 1).setConstant(kForbidden);
    if (attention.window > 0) {
      row.head(std::clamp<Index>(query - attention.window + 1, 0, keys)).setConstant(kForbidden);
      row.tail(std::clamp<Index>(keys - query - attention.window, 0, keys)).setConstant(kForbidden);
    }
  }
}

// Scores by distance, which are added to those by content.
void add_distance_scores(const HeadPass& pass, const MatrixView& Q, MatrixSlot rows) {
  if (pass.P_K.size() > 0) {
    Matrix part(rows.rows(), rows.cols());
    scores_of_positions(Q, pass.P_K, pass.distances, pass.first_row, 0, part);
    intervene(pass, Stage::kContentToPosition, part);
    rows += part;
  }
  if (pass.P_Q.size() > 0) {
    Matrix part(rows.rows(), rows.cols());
    scores_by_positions(pass.K, pass.P_Q, pass.distances, pass.first_row, 0, part);
    intervene(pass, Stage::kPositionToContent, part);
    rows += part;
  }
}

// Q Kᵀ. A query alone is multiplied with the keys where they are, without a copy of them.
void scores_of_content(const Attention& attention, const MatrixView& Q, const MatrixView& K,
                       MatrixSlot scores) {
  if (precision_of(attention) == Precision::kDouble) {
    scores = (Q.cast<double>() * K.transpose().cast<double>()).cast<float>();
  } else if (Q.rows() == 1) {
    const auto* const keys = reinterpret_cast<const unsigned char*>(K.data());
    const Index stride = K.outerStride() * static_cast<Index>(sizeof(float));
    kernels().multiply_packed(Q.data(), {Packing::kFloat32, keys, K.rows(), K.cols(), stride},
                              scores.data());
  } else {
    attention_scores(Q, K, scores);
  }
}

void compute_weights(const HeadPass& pass, MatrixSlot rows) {
  const Attention& attention = pass.attention;
  const MatrixView Q = pass.Q.middleRows(pass.first_row, rows.rows());
  scores_of_content(attention, Q, pass.K, rows);
  intervene(pass, Stage::kScores, rows);
  add_distance_scores(pass, Q, rows);
  intervene(pass, Stage::kSummedScores, rows);
  if (attention.score_factor != 1) rows *= attention.score_factor;
  intervene(pass, Stage::kScaledScores, rows);
  if (attention.score_cap > 0) cap_scores(rows, attention.score_cap, rows);
  intervene(pass, Stage::kCappedScores, rows);
  if (has_position_bias(attention))
    rows += position_bias(attention, pass.head, pass.Q.rows(), rows.cols(),
                          {pass.first_row, rows.rows()});
  mask(attention, pass.first_row, rows);
  intervene(pass, Stage::kMaskedScores, rows);
  softmax_rows(rows, rows, sink_of(attention, pass.head));
  intervene(pass, Stage::kWeights, rows);
}

void mix(const HeadPass& pass, const MatrixView& weights, const MatrixSlot& result) {
  if (!pass.interventions.any_override(Stage::kDroppedWeights, pass.head))
    return mix_values(weights, pass.V, result);
  Matrix dropped = weights;
  intervene(pass, Stage::kDroppedWeights, dropped);
  mix_values(dropped, pass.V, result);
}

void compute_output(const HeadPass& pass, const MatrixView& weights, const MatrixSlot& result) {
  mix(pass, weights, result);
  intervene(pass, Stage::kHeadOutput, result);
  const float gain = gain_of(pass.interventions, pass.head);
  if (gain != 1) mix_head(Matrix(result), gain, result);
}

// The angles of the rows from `first_row` to `n`, which begin again after each `text_rows` of
// them; 0: they do not.
RotaryTable table_for(const Attention& attention, Index first_row, Index n, Index text_rows) {
  if (!attention.rotary) return {};
  if (text_rows == 0) return rotary_table(*attention.rotary, n, first_row);
  const RotaryTable one = rotary_table(*attention.rotary, text_rows);
  const Index texts = n / text_rows;
  return {one.cosines.replicate(texts, 1), one.sines.replicate(texts, 1), one.first};
}

// The projections of a sublayer while their rows from `first_row` on are computed.
struct ProjectionPass {
  const Attention& attention;
  Index first_row;
  const LayerInterventions& interventions;
  ThreadPool& pool;
  Projected& projected;
  Index text_rows;  // of each text, see update_projections()
};

// Calls use(rows) with what a sublayer reads, whose numbers of `stage` (X or X_kv) are replaced in
// each text. They are copied only where there is something to replace.
template <typename Use>
void with_input(const LayerInterventions& interventions, Stage stage, Index first_row,
                Index text_rows, const MatrixView& rows, Use use) {
  if (!interventions.any_override(stage, 0)) return use(rows);
  Matrix replaced = rows;
  const Index step = text_rows > 0 ? text_rows : rows.rows();
  for (Index first = 0; first < rows.rows(); first += step)
    replace(interventions, stage, 0, first_row, replaced.middleRows(first, step));
  use(replaced);
}

void update_rows(const ProjectionPass& pass, std::size_t p, const MatrixView& rows) {
  const Linear& linear = pass.attention.projections[p];
  RowBuffer& part = pass.projected.parts[p];
  part.resize(pass.first_row, rows.rows(), linear.W.cols());
  const auto [first, count] = input_columns(pass.attention, p);
  project(rows.middleCols(first, count), linear, precision_of(pass.attention), pass.pool,
          part.rows_from(pass.first_row));
}

// The keys of latent attention: what the projections give of each, and the part that all share.
void assemble_keys(const ProjectionPass& pass, const MatrixView& rows) {
  const Attention& attention = pass.attention;
  const Index shared = attention.shared_key_features(), n = rows.rows();
  const Index own = attention.projected_key_features();
  RowBuffer& keys = pass.projected.keys;
  const RowBuffer& part = pass.projected.parts[attention.key.projection];
  keys.resize(pass.first_row, n, attention.n_kv_heads * attention.head_dim);
  pass.pool.run(attention.n_kv_heads, [&](Index head) {
    MatrixSlot key = keys.block(pass.first_row, head * attention.head_dim, attention.head_dim);
    key.leftCols(own) = part.columns(attention.key.of_head(head), own).bottomRows(n);
    key.rightCols(shared) = rows.rightCols(shared);
  });
}

// What a person may replace of the queries, keys or values, in this order.
struct ProjectedStages {
  Stage projected, normed, rotated;
};
constexpr ProjectedStages kQueryStages{Stage::kQ, Stage::kNormedQ, Stage::kRotatedQ};
constexpr ProjectedStages kKeyStages{Stage::kK, Stage::kNormedK, Stage::kRotatedK};

using PlaceOfHead = HeadPlace (*)(const Attention&, Index);

// The queries, or the keys, of all heads.
struct Side {
  PlaceOfHead place;
  Index heads;
  const std::optional<Norm>& norm;
  ProjectedStages stages;
};

Side queries(const Attention& attention) {
  return {queries_place, attention.n_heads, attention.query_norm, kQueryStages};
}

Side keys(const Attention& attention) {
  return {keys_place, attention.n_kv_heads, attention.key_norm, kKeyStages};
}

// The rows of a head that are computed.
MatrixSlot rows_of_head(const ProjectionPass& pass, PlaceOfHead place_of, Index head) {
  const HeadPlace place = place_of(pass.attention, head);
  RowBuffer& all = const_cast<RowBuffer&>(matrix_at(pass.projected, place));
  return all.block(pass.first_row, place.first, place.count);
}

// Replaces numbers of `stage` in the rows of each text. Keys and values that heads share are those
// of the first of them.
void intervene(const ProjectionPass& pass, Stage stage, Index head, Index heads, MatrixSlot rows) {
  const Index first_head = head * (pass.attention.n_heads / heads);
  const Index step = pass.text_rows > 0 ? pass.text_rows : rows.rows();
  for (Index first = 0; first < rows.rows(); first += step)
    replace(pass.interventions, stage, first_head, pass.first_row, rows.middleRows(first, step));
}

// Normalises the queries or keys of all heads together, once each has what replaces its numbers.
void normalise_together(const ProjectionPass& pass, const Side& side) {
  const Index head_dim = pass.attention.head_dim;
  Eigen::VectorXd mean_squares = Eigen::VectorXd::Zero(rows_of_head(pass, side.place, 0).rows());
  for (Index head = 0; head < side.heads; ++head) {
    const MatrixSlot rows = rows_of_head(pass, side.place, head);
    intervene(pass, side.stages.projected, head, side.heads, rows);
    add_mean_squares(rows, side.heads, mean_squares);
  }
  const Matrix weight = norm_weight(*side.norm);
  pass.pool.run(side.heads, [&](Index head) {
    const MatrixSlot rows = rows_of_head(pass, side.place, head);
    const Index first = weight.size() > 0 ? head * head_dim : 0;
    normalise_by_mean_squares(rows, mean_squares,
                              weight.middleCols(first, weight.size() > 0 ? head_dim : 0),
                              side.norm->epsilon, rows);
  });
}

// Normalises and rotates the queries or keys of all heads.
void finish_heads(const ProjectionPass& pass, const Side& side, const RotaryTable& table) {
  const Attention& attention = pass.attention;
  if (!side.norm && table.cosines.size() == 0 && !pass.interventions.any_override()) return;
  const bool together = side.norm && attention.norms_of_all_heads;
  if (together) normalise_together(pass, side);
  pass.pool.run(side.heads, [&](Index head) {
    const MatrixSlot rows = rows_of_head(pass, side.place, head);
    if (!together) {
      intervene(pass, side.stages.projected, head, side.heads, rows);
      if (side.norm) normalise(*side.norm, rows);
    }
    intervene(pass, side.stages.normed, head, side.heads, rows);
    if (table.cosines.size() > 0) rotate(rows, table, attention.rotary->pairs, 0, rows);
    intervene(pass, side.stages.rotated, head, side.heads, rows);
  });
}

void finish_values(const ProjectionPass& pass) {
  const Attention& attention = pass.attention;
  if (!attention.value_norm && !pass.interventions.any_override()) return;
  pass.pool.run(attention.n_kv_heads, [&](Index head) {
    const MatrixSlot rows = rows_of_head(pass, values_place, head);
    intervene(pass, Stage::kV, head, attention.n_kv_heads, rows);
    if (attention.value_norm) normalise(*attention.value_norm, rows);
    intervene(pass, Stage::kNormedV, head, attention.n_kv_heads, rows);
  });
}

// Takes the keys and values of another layer from the first row on that is computed.
void take_keys(const ProjectionPass& pass, const KeySource& source) {
  const Attention& attention = pass.attention;
  const auto take = [&](PlaceOfHead place_of, Index features, RowBuffer& to) {
    const Index n = view_of(source.projected, place_of(source.attention, 0)).rows();
    to.resize(pass.first_row, n - pass.first_row, attention.n_kv_heads * features);
    for (Index head = 0; head < attention.n_kv_heads; ++head) {
      const MatrixView from = view_of(source.projected, place_of(source.attention, head));
      to.block(pass.first_row, head * features, features) = from.bottomRows(n - pass.first_row);
    }
  };
  take(keys_place, attention.head_dim, pass.projected.keys);
  take(values_place, attention.d_v(), pass.projected.values);
}

}  // namespace

bool LayerInterventions::any_override() const {
  return all != nullptr &&
         std::ranges::any_of(all->overrides, [this](const CellOverride& o) { return o.at == at; });
}

bool LayerInterventions::any_override(Stage stage, Index head) const {
  return all != nullptr && std::ranges::any_of(all->overrides, [&](const CellOverride& o) {
           return o.at == at && o.cell.stage == stage && o.cell.head == head;
         });
}

void replace(const LayerInterventions& interventions, Stage stage, Index head, Index first_row,
             MatrixSlot rows) {
  if (interventions.all == nullptr) return;
  for (const HeadPatch& patch : interventions.all->patches)
    if (patch.at == interventions.at && patch.head == head && patch.stage == stage)
      rows = patch.values->middleRows(first_row, rows.rows());
  for (const auto& [at, cell] : interventions.all->overrides) {
    const Index row = cell.row - first_row;
    if (at == interventions.at && cell.head == head && cell.stage == stage && row >= 0 &&
        row < rows.rows())
      rows(row, cell.col) = cell.value;
  }
}

float gain_of(const LayerInterventions& interventions, Index head) {
  return interventions.all == nullptr ? 1 : head_gain(*interventions.all, interventions.at, head);
}

Precision precision_of(const Attention& attention) {
  return attention.score_factor == 1 && !attention.query_norm ? Precision::kDouble
                                                              : Precision::kSingle;
}

float sink_of(const Attention& attention, Index head) {
  return attention.sinks.empty() ? kNoSink : attention.sinks.columns(head, 1).values()(0, 0);
}

MatrixView queries_of(const Attention& attention, const Projected& projected, Index head) {
  return view_of(projected, queries_place(attention, head));
}

MatrixView keys_of(const Attention& attention, const Projected& projected, Index head) {
  return view_of(projected, keys_place(attention, kv_head_of(attention, head)));
}

MatrixView values_of(const Attention& attention, const Projected& projected, Index head) {
  return view_of(projected, values_place(attention, kv_head_of(attention, head)));
}

MatrixView position_keys_of(const Attention& attention, const Projected& projected, Index head) {
  const Matrix& all = projected.position_keys;
  if (all.size() == 0) return all;
  const bool shared = attention.distance_scores->shared;
  const Index d_k = attention.head_dim;
  return all.middleCols(shared ? attention.key.of_head(head) : head * d_k, d_k);
}

MatrixView position_queries_of(const Attention& attention, const Projected& projected, Index head) {
  const Matrix& all = projected.position_queries;
  if (all.size() == 0) return all;
  const bool shared = attention.distance_scores->shared;
  const Index d_k = attention.head_dim;
  return all.middleCols(shared ? attention.query.of_head(head) : head * d_k, d_k);
}

namespace {

// The keys and queries of the distances of a text of `n` tokens.
void update_distances(const Attention& attention, Index n, ThreadPool& pool, Projected& projected) {
  if (!attention.distance_scores) return;
  const DistanceScores& scores = *attention.distance_scores;
  const TextDistances text = distances_of_text(scores, n);
  projected.distances = text.rows;
  const auto map = [&](const Linear& own, std::size_t shared) {
    return project(text.embedding, scores.shared ? attention.projections[shared] : own,
                   Precision::kSingle, pool);
  };
  if (scores.content_to_position)
    projected.position_keys = map(scores.key, attention.key.projection);
  if (scores.position_to_content)
    projected.position_queries = map(scores.query, attention.query.projection);
}

}  // namespace

void update_projections(const Attention& attention, const MatrixView& rows, Index first_row,
                        const LayerInterventions& interventions, ThreadPool& pool,
                        Projected& projected, Index text_rows, const KeySource* source) {
  projected.parts.resize(attention.projections.size());
  const ProjectionPass pass{attention, first_row, interventions, pool, projected, text_rows};
  const auto project_all = [&](const MatrixView& X) {
    for (std::size_t p = 0; p < projected.parts.size(); ++p) update_rows(pass, p, X);
    if (attention.latent) assemble_keys(pass, X);
  };
  const auto use = [&](const MatrixView& X) {
    with_input(interventions, Stage::kX, first_row, text_rows, X, project_all);
  };
  if (attention.latent)
    use(latent_input(attention, rows, pool));
  else
    use(rows);
  update_distances(attention, text_rows > 0 ? text_rows : first_row + rows.rows(), pool, projected);
  const RotaryTable table = table_for(attention, first_row, first_row + rows.rows(), text_rows);
  finish_heads(pass, queries(attention), table);
  if (attention.key_layer) return take_keys(pass, *source);
  finish_heads(pass, keys(attention), table);
  finish_values(pass);
}

void update_cross_projections(const Attention& attention, const MatrixView& rows, Index first_row,
                              const MatrixView& X_kv, const LayerInterventions& interventions,
                              ThreadPool& pool, Projected& projected) {
  projected.parts.resize(attention.projections.size());
  const ProjectionPass pass{attention, first_row, interventions, pool, projected, 0};
  const std::size_t query = attention.query.projection;
  with_input(interventions, Stage::kX, first_row, 0, rows,
             [&](const MatrixView& X) { update_rows(pass, query, X); });
  finish_heads(pass, queries(attention), {});
  if (first_row > 0) return;
  with_input(interventions, Stage::kXKv, 0, 0, X_kv, [&](const MatrixView& X) {
    for (std::size_t p = 0; p < projected.parts.size(); ++p)
      if (p != query) update_rows(pass, p, X);
  });
  finish_heads(pass, keys(attention), {});
  finish_values(pass);
}

Matrix attend(const Attention& attention, const Projected& projected, Index first_row,
              const LayerInterventions& interventions, ThreadPool& pool, Matrix& weights) {
  const Matrix concat = mix_heads(attention, projected, first_row, interventions, pool, weights);
  Matrix output = project(concat, attention.output, precision_of(attention), pool);
  replace(interventions, Stage::kOutput, 0, first_row, output);
  return output;
}

Matrix attend_last_rows(const Attention& attention, const Projected& projected, Index first_row,
                        const LayerInterventions& interventions, ThreadPool& pool) {
  const Matrix concat = mix_last_rows(attention, projected, first_row, interventions, pool);
  Matrix output = project(concat, attention.output, precision_of(attention), pool);
  replace(interventions, Stage::kOutput, 0, first_row, output);
  return output;
}

Matrix mix_last_rows(const Attention& attention, const Projected& projected, Index first_row,
                     const LayerInterventions& interventions, ThreadPool& pool) {
  const Index rows = queries_of(attention, projected, 0).rows() - first_row;
  const Index keys = keys_of(attention, projected, 0).rows(), d_v = attention.d_v();
  Matrix concat(rows, attention.n_heads * d_v);
  pool.run(attention.n_heads, [&](Index head) {
    const HeadPass pass = head_pass(attention, projected, head, first_row, interventions);
    Matrix weights(rows, keys);
    compute_weights(pass, weights);
    compute_output(pass, weights, concat.middleCols(head * d_v, d_v));
  });
  replace(interventions, Stage::kConcat, 0, first_row, concat);
  return concat;
}

Matrix mix_heads(const Attention& attention, const Projected& projected, Index first_row,
                 const LayerInterventions& interventions, ThreadPool& pool, Matrix& weights) {
  const Index n = queries_of(attention, projected, 0).rows(), rows = n - first_row;
  weights.resize(attention.n_heads * n, keys_of(attention, projected, 0).rows());
  const Index d_v = attention.d_v();
  Matrix concat(rows, attention.n_heads * d_v);
  pool.run(attention.n_heads, [&](Index head) {
    const HeadPass pass = head_pass(attention, projected, head, first_row, interventions);
    auto head_weights = weights.middleRows(head * n + first_row, rows);
    compute_weights(pass, head_weights);
    compute_output(pass, head_weights, concat.middleCols(head * d_v, d_v));
  });
  replace(interventions, Stage::kConcat, 0, first_row, concat);
  return concat;
}

Matrix mix_heads_of_texts(const Attention& attention, const Projected& projected, Index text_rows,
                          const RowRange& rows, const LayerInterventions& interventions,
                          ThreadPool& pool) {
  const Index texts = projected.parts.front().rows() / text_rows, d_v = attention.d_v();
  Matrix concat(texts * rows.count, attention.n_heads * d_v);
  pool.run(texts, [&](Index text) {
    auto result = concat.middleRows(text * rows.count, rows.count);
    Matrix weights(rows.count, text_rows);
    for (Index head = 0; head < attention.n_heads; ++head) {
      const HeadPass pass =
          in_text(head_pass(attention, projected, head, rows.first, interventions),
                  {text * text_rows, text_rows});
      compute_weights(pass, weights);
      compute_output(pass, weights, result.middleCols(head * d_v, d_v));
    }
    replace(interventions, Stage::kConcat, 0, rows.first, result);
  });
  return concat;
}

}  // namespace attention::network
