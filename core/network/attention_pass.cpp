#include "core/network/attention_pass.h"

#include <algorithm>
#include <limits>

#include "core/layer/stages.h"
#include "core/network/positions.h"
#include "core/network/row_functions.h"

namespace attention::network {
namespace {

constexpr float kForbidden = -std::numeric_limits<float>::infinity();

Index first_column(const HeadColumns& columns, Index head) {
  return columns.first + head * columns.step;
}

MatrixSlot slot_of_head(const Attention& attention, const HeadColumns& columns, Index head,
                        Index first_row, Projected& projected) {
  Matrix& part = projected.parts[columns.projection];
  return part.block(first_row, first_column(columns, head), part.rows() - first_row,
                    attention.head_dim);
}

MatrixView view_of_head(const Attention& attention, const HeadColumns& columns, Index head,
                        const Projected& projected) {
  return projected.parts[columns.projection].middleCols(first_column(columns, head),
                                                        attention.head_dim);
}

Index kv_head_of(const Attention& attention, Index head) {
  return head / (attention.n_heads / attention.n_kv_heads);
}

// One head while its rows from `first_row` on are computed.
struct HeadPass {
  const Attention& attention;
  const Projected& projected;
  Index head;
  Index first_row;
  const LayerInterventions& interventions;
};

const HeadPatch* patch_of(const HeadPass& pass, Stage stage) {
  if (pass.interventions.all == nullptr) return nullptr;
  for (const HeadPatch& patch : pass.interventions.all->patches)
    if (patch.at == pass.interventions.at && patch.head == pass.head && patch.stage == stage)
      return &patch;
  return nullptr;
}

// Writes what replaces numbers of `stage` into its rows from first_row on, overrides times
// `factor`.
void intervene(const HeadPass& pass, Stage stage, MatrixSlot rows, float factor = 1) {
  if (pass.interventions.all == nullptr) return;
  if (const HeadPatch* patch = patch_of(pass, stage)) rows = patch->values->bottomRows(rows.rows());
  for (const CellOverride& override : pass.interventions.all->overrides) {
    const Override& cell = override.cell;
    if (override.at == pass.interventions.at && cell.head == pass.head && cell.stage == stage &&
        cell.row >= pass.first_row)
      rows(cell.row - pass.first_row, cell.col) = cell.value * factor;
  }
}

float gain_of(const HeadPass& pass) {
  if (pass.interventions.all == nullptr) return 1;
  return head_gain(*pass.interventions.all, pass.interventions.at, pass.head);
}

// YaRN's factor multiplies queries and keys here, and the scores in layer_problem().
float score_unit(const Attention& attention) {
  return attention.rotary ? attention.rotary->scale * attention.rotary->scale : 1;
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

void compute_weights(const HeadPass& pass, MatrixSlot rows) {
  const Attention& attention = pass.attention;
  const MatrixView Q = queries_of(attention, pass.projected, pass.head);
  const MatrixView K = keys_of(attention, pass.projected, pass.head);
  if (precision_of(attention) == Precision::kDouble) {
    rows = (Q.bottomRows(rows.rows()).cast<double>() * K.transpose().cast<double>()).cast<float>();
  } else {
    attention_scores(Q.bottomRows(rows.rows()), K, rows);
  }
  intervene(pass, Stage::kScores, rows, score_unit(attention));
  if (attention.score_factor != 1) rows *= attention.score_factor;
  intervene(pass, Stage::kScaledScores, rows);
  if (attention.score_cap > 0) cap_scores(rows, attention.score_cap, rows);
  if (attention.distance_bias)
    rows += distance_bias(*attention.distance_bias, pass.head, Q.rows(), rows.cols())
                .bottomRows(rows.rows());
  mask(attention, pass.first_row, rows);
  intervene(pass, Stage::kMaskedScores, rows);
  softmax_rows(rows, rows);
  intervene(pass, Stage::kWeights, rows);
}

void compute_output(const HeadPass& pass, const MatrixView& weights, const MatrixSlot& result) {
  mix_values(weights, values_of(pass.attention, pass.projected, pass.head), result);
  intervene(pass, Stage::kHeadOutput, result);
  const float gain = gain_of(pass);
  if (gain != 1) mix_head(Matrix(result), gain, result);
}

void update_part(const Attention& attention, std::size_t p, const MatrixView& rows, Index first_row,
                 ThreadPool& pool, Projected& projected) {
  const Linear& linear = attention.projections[p];
  Matrix& part = projected.parts[p];
  if (first_row == 0) part.resize(rows.rows(), linear.W.cols());
  project(rows, linear, precision_of(attention), pool, part.bottomRows(rows.rows()));
}

// The angles of `n` rows, which begin again after each `text_rows` of them; 0: they do not.
RotaryTable table_for(const Attention& attention, Index n, Index text_rows) {
  if (!attention.rotary) return {};
  if (text_rows == 0) return rotary_table(*attention.rotary, n);
  const RotaryTable one = rotary_table(*attention.rotary, text_rows);
  const Index texts = n / text_rows;
  return {one.cosines.replicate(texts, 1), one.sines.replicate(texts, 1)};
}

// Normalises and rotates the queries or keys of all heads, from `first_row` on.
void finish_heads(const Attention& attention, const HeadColumns& columns, Index heads,
                  const std::optional<Norm>& norm, Index first_row, const RotaryTable& table,
                  ThreadPool& pool, Projected& projected) {
  if (!norm && !attention.rotary) return;
  pool.run(heads, [&](Index head) {
    const MatrixSlot rows = slot_of_head(attention, columns, head, first_row, projected);
    if (norm) normalise(*norm, rows);
    if (attention.rotary) rotate(rows, table, attention.rotary->pairs, first_row, rows);
  });
}

}  // namespace

Precision precision_of(const Attention& attention) {
  return attention.score_factor == 1 ? Precision::kDouble : Precision::kSingle;
}

MatrixView queries_of(const Attention& attention, const Projected& projected, Index head) {
  return view_of_head(attention, attention.query, head, projected);
}

MatrixView keys_of(const Attention& attention, const Projected& projected, Index head) {
  return view_of_head(attention, attention.key, kv_head_of(attention, head), projected);
}

MatrixView values_of(const Attention& attention, const Projected& projected, Index head) {
  return view_of_head(attention, attention.value, kv_head_of(attention, head), projected);
}

void update_projections(const Attention& attention, const MatrixView& rows, Index first_row,
                        ThreadPool& pool, Projected& projected, Index text_rows) {
  projected.parts.resize(attention.projections.size());
  for (std::size_t p = 0; p < projected.parts.size(); ++p)
    update_part(attention, p, rows, first_row, pool, projected);
  const RotaryTable table = table_for(attention, first_row + rows.rows(), text_rows);
  finish_heads(attention, attention.query, attention.n_heads, attention.query_norm, first_row,
               table, pool, projected);
  finish_heads(attention, attention.key, attention.n_kv_heads, attention.key_norm, first_row, table,
               pool, projected);
}

void update_cross_projections(const Attention& attention, const MatrixView& rows, Index first_row,
                              const MatrixView& X_kv, ThreadPool& pool, Projected& projected) {
  projected.parts.resize(attention.projections.size());
  for (std::size_t p = 0; p < projected.parts.size(); ++p) {
    const bool queries = p == attention.query.projection;
    if (!queries && first_row > 0) continue;
    update_part(attention, p, queries ? rows : X_kv, first_row, pool, projected);
  }
}

Matrix attend(const Attention& attention, const Projected& projected, Index first_row,
              const LayerInterventions& interventions, ThreadPool& pool, Matrix& weights) {
  const Matrix concat = mix_heads(attention, projected, first_row, interventions, pool, weights);
  return project(concat, attention.output, precision_of(attention), pool);
}

Matrix mix_heads(const Attention& attention, const Projected& projected, Index first_row,
                 const LayerInterventions& interventions, ThreadPool& pool, Matrix& weights) {
  const Index n = queries_of(attention, projected, 0).rows(), rows = n - first_row;
  weights.resize(attention.n_heads * n, keys_of(attention, projected, 0).rows());
  Matrix concat(rows, attention.n_heads * attention.head_dim);
  pool.run(attention.n_heads, [&](Index head) {
    const HeadPass pass{attention, projected, head, first_row, interventions};
    auto head_weights = weights.middleRows(head * n + first_row, rows);
    compute_weights(pass, head_weights);
    compute_output(pass, head_weights,
                   concat.middleCols(head * attention.head_dim, attention.head_dim));
  });
  return concat;
}

}  // namespace attention::network
