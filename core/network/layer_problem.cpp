#include "core/network/layer_problem.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/network/block_pass.h"
#include "core/network/encoders/distance_scores.h"
#include "core/network/latent_input.h"
#include "core/network/layer_matrix.h"
#include "core/network/positions.h"
#include "core/network/row_functions.h"

namespace attention::network {
namespace {

[[noreturn]] void refuse(const std::string& problem) { throw std::invalid_argument(problem); }

const Attention& attention_at(const Network& network, LayerId at) {
  const Attention* const attention = find_attention(network, at);
  if (attention == nullptr) refuse(missing_attention(network, at));
  return *attention;
}

// The layer whose keys and values the one at `at` uses; itself where they are its own.
LayerId key_layer_of(const Network& network, const LayerId& at) {
  return {at.sublayer, attention_at(network, at).key_layer.value_or(at.layer)};
}

// The rows that the sublayer normalises: the input of the block, or, for cross-attention, what the
// block's self-attention made of it.
Matrix rows_before(const Network& network, const NetworkTrace& trace,
                   const Interventions& interventions, const LayerId& at, ThreadPool& pool) {
  const auto layer = static_cast<std::size_t>(at.layer);
  const bool encoder = at.sublayer == Sublayer::kEncoder;
  const Stack& stack = encoder ? *network.encoder : network.stack;
  const Matrix& input = *stack_trace(trace, at.sublayer).blocks[layer].input;
  if (at.sublayer != Sublayer::kCross) return input;
  return after_self_attention(
      {stack.blocks[layer], 0, interventions, {Sublayer::kSelf, at.layer}, nullptr, pool}, input);
}

// X: what the sublayer reads, where `rows` are those that it normalises.
Matrix layer_input(const Network& network, const LayerId& at, Matrix rows, ThreadPool& pool) {
  const bool encoder = at.sublayer == Sublayer::kEncoder;
  const Stack& stack = encoder ? *network.encoder : network.stack;
  const Block& block = stack.blocks[static_cast<std::size_t>(at.layer)];
  const SublayerNorms& norms =
      at.sublayer == Sublayer::kCross ? block.cross_norms : block.attention_norms;
  if (norms.before) normalise(*norms.before, rows);
  return attention_input(attention_at(network, at), std::move(rows), pool);
}

Config config_of(const Attention& attention, Index d_model) {
  Config config;
  config.d_model = static_cast<int>(input_width(attention));
  config.d_out = static_cast<int>(d_model);
  config.n_heads = static_cast<int>(attention.n_heads);
  config.n_kv_heads = static_cast<int>(attention.n_kv_heads);
  config.d_k = static_cast<int>(attention.head_dim);
  config.d_v = static_cast<int>(attention.d_v());
  config.mask.causal = attention.causal;
  config.mask.window = static_cast<int>(attention.window);
  const float default_factor = 1 / std::sqrt(static_cast<float>(attention.head_dim));
  const float factor = attention.score_factor;
  config.scale = std::abs(factor / default_factor - 1) < 1e-6f;
  // Sums of several products are also divided by the root of their number.
  if (attention.distance_scores && !config.scale) {
    config.scale = true;
    config.temperature = default_factor / factor;
  }
  if (!config.scale) config.temperature = 1 / factor;
  config.score_cap = attention.score_cap;
  config.sink = !attention.sinks.empty();
  if (!attention.rotary) return config;
  config.positions = Positions::kRotary;
  config.rotary_pairs = attention.rotary->pairs;
  config.rotary_scale = attention.rotary->scale;
  return config;
}

// Keys and values are computed by the matrices of `source`.
Parameters parameters_of(const Attention& attention, const Attention& source) {
  Parameters parameters;
  parameters.heads.resize(static_cast<std::size_t>(attention.n_heads));
  parameters.kv_heads.resize(static_cast<std::size_t>(attention.n_kv_heads));
  for_each_parameter(parameters, [&](const MatrixInfo& info, Index head, SharedMatrix& matrix) {
    const bool of_keys = is_per_kv_head(info.id) || info.id == MatrixId::kNormK;
    const StoredMatrix stored = layer_matrix(of_keys ? source : attention, info.id, head);
    if (!stored.empty()) matrix = SharedMatrix(stored.values());
  });
  return parameters;
}

void require_rms(const Norm& norm) {
  if (norm.type != NormType::kRms || !norm.bias.empty())
    refuse(
        "queries and keys are not normalised by their root mean square, as a layer does that is "
        "shown stage by stage");
}

void add_value_norm(const std::optional<Norm>& norm, Problem& problem) {
  if (!norm) return;
  Config& config = problem.config;
  if (config.head_norm && config.head_norm_epsilon != norm->epsilon)
    refuse("values are not normalised like keys, as a layer does that is shown stage by stage");
  config.value_norm = true;
  config.head_norm_epsilon = norm->epsilon;
}

void add_head_norms(const Attention& attention, const Attention& source, Problem& problem) {
  const std::optional<Norm>&query = attention.query_norm, &key = source.key_norm;
  if (!query && !key) return;
  if (!query || !key || query->epsilon != key->epsilon)
    refuse(
        "queries and keys are not normalised alike, as a layer does that is shown stage by stage");
  require_rms(*query);
  require_rms(*key);
  problem.config.head_norm = true;
  problem.config.head_norm_epsilon = query->epsilon;
  problem.config.head_norm_joint = attention.norms_of_all_heads;
}

void add_patch(const HeadPatch& patch, Problem& problem) {
  const Matrix& values = *patch.values;
  for (Index i = 0; i < values.rows(); ++i)
    for (Index j = 0; j < values.cols(); ++j)
      problem.overrides.push_back({patch.stage, patch.head, i, j, values(i, j)});
}

// An override of a cell that was patched replaces its number.
void add_override(const Override& override, Problem& problem) {
  for (Override& other : problem.overrides) {
    const bool same = other.stage == override.stage && other.head == override.head &&
                      other.row == override.row && other.col == override.col;
    if (same) return void(other.value = override.value);
  }
  problem.overrides.push_back(override);
}

// What is overridden in the layer at `source` of the keys and values that another one uses.
void add_overrides_of_keys(const Interventions& interventions, const LayerId& source,
                           Problem& problem) {
  for (const CellOverride& override : interventions.overrides) {
    if (override.at != source) continue;
    Override cell = override.cell;
    if (cell.stage == Stage::kX) cell.stage = Stage::kXKv;
    if (has_key_rows(cell.stage)) problem.overrides.push_back(cell);
  }
}

void add_interventions(const Interventions& interventions, const LayerId& at, Problem& problem) {
  for (const HeadPatch& patch : interventions.patches)
    if (patch.at == at) add_patch(patch, problem);
  for (const CellOverride& override : interventions.overrides)
    if (override.at == at) add_override(override.cell, problem);
  problem.head_mix = layer_mix(interventions, at, problem.config.n_heads);
}

void add_positions(const Attention& attention, Index n, Index n_keys, Problem& problem) {
  if (attention.rotary) {
    if (!attention.rotary->table.empty())
      refuse(
          "positions are rotated by a table of their own, not by frequencies, as a layer does that "
          "is shown stage by stage");
    const std::vector<float> table = rotary_frequencies(*attention.rotary, std::max(n, n_keys));
    problem.rotary_frequencies =
        SharedMatrix(Matrix(RowVector::Map(table.data(), static_cast<Index>(table.size()))));
    problem.rotary_first = attention.rotary->first;
  }
  if (!has_position_bias(attention)) return;
  for (Index head = 0; head < attention.n_heads; ++head)
    problem.head_bias.emplace_back(position_bias(attention, head, n, n_keys));
}

// The map of a head from distances to keys or queries, where there is one.
void add_map(const Linear& linear, Index first, Index count, SharedMatrix& W, SharedMatrix& b) {
  if (linear.W.empty()) return;
  W = SharedMatrix(linear.W.columns(first, count).values());
  if (!linear.b.empty()) b = SharedMatrix(linear.b.columns(first, count).values());
}

void add_relative(const Attention& attention, const Problem* shown, Problem& problem) {
  if (!attention.distance_scores) return;
  const DistanceScores& scores = *attention.distance_scores;
  TextDistances text = distances_of_text(scores, problem.seq_len());
  RelativePositions relative{SharedMatrix(std::move(text.embedding)),
                             std::move(text.rows),
                             scores.content_to_position,
                             scores.position_to_content,
                             {}};
  if (shown != nullptr && shown->relative) {  // their numbers are the same while they are shared
    const RelativePositions& before = *shown->relative;
    if (before.embedding->size() == relative.embedding->size() &&
        *before.embedding == *relative.embedding)
      relative.embedding = before.embedding;
    relative.maps = before.maps;
  } else if (!scores.shared) {
    const Index d_k = attention.head_dim;
    for (Index head = 0; head < attention.n_heads; ++head) {
      PositionMaps& maps = relative.maps.emplace_back();
      add_map(scores.key, head * d_k, d_k, maps.W_K, maps.b_K);
      add_map(scores.query, head * d_k, d_k, maps.W_Q, maps.b_Q);
    }
  }
  problem.relative = std::move(relative);
}

// Everything but X.
void complete(const Network& network, const Interventions& interventions, const LayerId& at,
              const Problem* shown, Problem& problem) {
  const Attention& attention = attention_at(network, at);
  problem.config = config_of(attention, network.d_model());
  problem.input_parts = input_parts(attention);
  problem.key_layer = attention.key_layer;
  const LayerId key_layer = key_layer_of(network, at);
  const Attention& source = attention_at(network, key_layer);
  problem.parameters = shown != nullptr ? shown->parameters : parameters_of(attention, source);
  add_head_norms(attention, source, problem);
  add_value_norm(source.value_norm, problem);
  add_positions(attention, problem.seq_len(), problem.kv_len(), problem);
  if (key_layer != at) add_overrides_of_keys(interventions, key_layer, problem);
  add_relative(attention, shown, problem);
  add_interventions(interventions, at, problem);
  validate(problem);
}

Problem read_layer(const Network& network, const NetworkTrace& trace,
                   const Interventions& interventions, const LayerId& at, ThreadPool& pool,
                   const Problem* shown) {
  const LayerId key_layer = key_layer_of(network, at);  // refuses a layer that there is not
  const auto input = [&](const LayerId& layer) {
    return SharedMatrix(
        layer_input(network, layer, rows_before(network, trace, interventions, layer, pool), pool));
  };
  Problem problem;
  problem.embedding = input(at);
  if (key_layer != at) problem.embedding_kv = input(key_layer);
  if (at.sublayer == Sublayer::kCross) problem.embedding_kv = SharedMatrix(trace.encoder->final);
  complete(network, interventions, at, shown, problem);
  return problem;
}

}  // namespace

Problem layer_problem(const Network& network, const NetworkTrace& trace,
                      const Interventions& interventions, const LayerId& at, ThreadPool& pool) {
  return read_layer(network, trace, interventions, at, pool, nullptr);
}

Problem layer_problem(const Network& network, const NetworkTrace& trace,
                      const Interventions& interventions, const LayerId& at, ThreadPool& pool,
                      const Problem& shown) {
  return read_layer(network, trace, interventions, at, pool, &shown);
}

Problem unread_layer_problem(const Network& network, const Interventions& interventions,
                             const LayerId& at, const ScoreShape& shape, const Problem* shown) {
  Problem problem;
  const Index width = input_width(attention_at(network, at));
  problem.embedding = SharedMatrix(Matrix(Matrix::Zero(shape.queries, width)));
  if (at.sublayer == Sublayer::kCross || key_layer_of(network, at) != at)
    problem.embedding_kv = SharedMatrix(Matrix(Matrix::Zero(shape.keys, network.d_model())));
  complete(network, interventions, at, shown, problem);
  return problem;
}

}  // namespace attention::network
