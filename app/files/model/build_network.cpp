#include "app/files/model/build_network.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "app/base/strings.h"
#include "app/files/model/tensor_finder.h"
#include "app/files/model/weights/expert_stacks.h"
#include "core/layer/positions.h"
#include "core/network/positions.h"

namespace lab::files {
namespace {

using attention::Index;
using attention::Matrix;
using attention::SharedMatrix;
using namespace attention::network;

// The sizes in which the two stacks differ.
struct StackSizes {
  Index n_layers, n_heads, n_kv_heads, head_dim, d_mlp, vocabulary;
  bool causal;
};

// Sinusoidal positions of M2M-100: sines, then cosines, of position · 10000^(−i / (half − 1)) in
// float32, and nothing at the padding.
StoredMatrix sinusoidal_halves(Index positions, Index d_model,
                               std::optional<std::uint32_t> padding) {
  const Index half = d_model / 2;
  const float step = static_cast<float>(std::log(10000.0) / static_cast<double>(half - 1));
  Matrix table = Matrix::Zero(positions, d_model);
  for (Index i = 0; i < half; ++i) {
    const float frequency = std::exp(static_cast<float>(i) * -step);
    for (Index position = 0; position < positions; ++position) {
      const float angle = static_cast<float>(position) * frequency;
      table(position, i) = std::sin(angle);
      table(position, half + i) = std::cos(angle);
    }
  }
  if (padding) table.row(*padding).setZero();
  return StoredMatrix(SharedMatrix(std::move(table)));
}

// Sinusoidal positions with all sines before all cosines: the order of Marian's features.
StoredMatrix sinusoidal_table(Index positions, Index d_model) {
  const Matrix in_turns = attention::sinusoidal_positions(positions, d_model);
  const Index sines = (d_model + 1) / 2;
  Matrix table(positions, d_model);
  for (Index col = 0; col < d_model; ++col)
    table.col(col) = in_turns.col(col < sines ? 2 * col : 2 * (col - sines) + 1);
  return StoredMatrix(SharedMatrix(std::move(table)));
}

// Maps [in × out] that are stored one below the other, side by side: [in × maps · out].
class MapsSideBySide : public ComputedRows {
 public:
  MapsSideBySide(StoredMatrix maps, Index in) : maps_(std::move(maps)), in_(in) {}

  void read(Index row, Index first, Index count, float* to) const override {
    const Index out = maps_.cols();
    while (count > 0) {
      const Index map = first / out, column = first % out, there = std::min(out - column, count);
      const Matrix part = maps_.row_range(map * in_ + row, 1).columns(column, there).values();
      to = std::copy_n(part.data(), there, to);
      first += there;
      count -= there;
    }
  }

 private:
  StoredMatrix maps_;
  Index in_;
};

// Builds one of the stacks.
class StackBuilder {
 public:
  StackBuilder(TensorFinder& finder, const StackNames& names, const StackSizes& sizes)
      : finder_(finder), d_(finder.description()), names_(names), sizes_(sizes) {}

  Stack build() const {
    Stack stack;
    stack.embedding = embedding();
    for (Index layer = 0; layer < sizes_.n_layers; ++layer) stack.blocks.push_back(block(layer));
    if (d_.layer_inputs.width > 0) stack.embedding.layer_inputs = layer_inputs();
    if (d_.final_norm) stack.final_norm = finder_.norm(outside(names_.final_norm), d_.d_model);
    return stack;
  }

 private:
  // The name of something outside the layers, and of something in one.
  std::string outside(const std::string& name) const { return finder_.with_prefix(name); }
  std::string inside(Index layer, const std::string& name) const {
    std::string prefix = names_.layer;
    const auto at = static_cast<std::size_t>(layer);
    replace_all(prefix, "{}",
                d_.layer_numbers.empty() ? std::to_string(layer) : d_.layer_numbers[at]);
    return outside(prefix) + name;
  }

  Embedding embedding() const {
    Embedding embedding;
    embedding.tokens =
        finder_.matrix(outside(names_.tokens) + ".weight", sizes_.vocabulary, d_.d_embedding);
    embedding.scale = d_.embedding_scale;
    embedding.longest_text = d_.longest_text;
    const bool last = d_.projected_last;
    const Index width = last ? d_.d_embedding : d_.d_model;
    const Index rows = d_.max_positions + d_.position_offset;
    const bool table = d_.positions == PositionType::kLearned ||
                       (d_.positions == PositionType::kSinusoidal &&
                        finder_.has(outside(names_.positions) + ".weight"));
    if (table) {
      embedding.positions = finder_.matrix(outside(names_.positions) + ".weight", rows, width);
    } else if (d_.positions == PositionType::kSinusoidal) {
      embedding.positions = sinusoidal_table(rows, d_.d_model);
    } else if (d_.positions == PositionType::kSinusoidalHalves) {
      embedding.positions = sinusoidal_halves(rows, d_.d_model, d_.padding);
    }
    embedding.position_offset = d_.position_offset;
    embedding.padding = d_.padding;
    if (d_.token_types > 0 && names_.types != nullptr)
      embedding.types = finder_.matrix(outside(names_.types) + ".weight", d_.token_types, width);
    if (d_.d_embedding != d_.d_model || d_.always_projected)
      embedding.projection = finder_.linear(outside(names_.embedding_projection), d_.d_embedding,
                                            d_.d_model, d_.biases.embedding_projection);
    embedding.projected_last = last && embedding.projection;
    embedding.normed_last = d_.normed_last && embedding.projection;
    if (d_.embedding_norm)
      embedding.norm =
          finder_.norm(outside(names_.embedding_norm), embedding.normed_last ? d_.d_model : width);
    return embedding;
  }

  Block block(Index layer) const {
    Block block;
    if (settings_of(layer).convolution)
      block.convolution = convolution(layer);
    else
      block.attention = attention(layer, names_.attention, true);
    const bool normed = layer > 0 || d_.first_norm;
    block.attention_norms = norms(layer, normed ? names_.attention.norms : NormNames());
    if (names_.cross_attention.output != nullptr) {
      block.cross_attention = attention(layer, names_.cross_attention, false);
      block.cross_norms = norms(layer, names_.cross_attention.norms);
    }
    set_feed_forward(layer, block);
    block.mlp_norms = d_.one_norm ? block.attention_norms : norms(layer, names_.mlp_norms);
    block.parallel = d_.parallel;
    if (layer == 0 && d_.added_convolution) block.added_convolution = added_convolution();
    if (d_.layer_inputs.width > 0) block.input_gate = input_gate(layer);
    if (d_.layer_factors)
      block.factor = finder_.row(inside(layer, names_.layer_factor), 1).values()(0, 0);
    return block;
  }

  LayerInputs layer_inputs() const {
    const LayerInputNames& names = names_.layer_inputs;
    const Index width = d_.layer_inputs.width, all = width * sizes_.n_layers;
    const auto root = [](Index n) { return std::sqrt(static_cast<float>(n)); };
    return {.tokens =
                finder_.matrix(outside(names.tokens) + ".weight", d_.layer_inputs.vocabulary, all),
            .scale = root(width),
            .projection = finder_.linear(outside(names.projection), d_.d_model, all, false),
            .projection_scale = 1 / root(d_.d_model),
            .norm = finder_.norm(outside(names.norm), width),
            .factor = 1 / root(2),
            .layers = sizes_.n_layers};
  }

  InputGate input_gate(Index layer) const {
    const LayerInputNames& names = names_.layer_inputs;
    const Index width = d_.layer_inputs.width;
    return {finder_.linear(inside(layer, names.gate), d_.d_model, width, false),
            finder_.linear(inside(layer, names.gate_projection), width, d_.d_model, false),
            finder_.norm(inside(layer, names.gate_norm), d_.d_model), d_.activation};
  }

  // Stored as [out × in × taps]; each tap becomes a map [in × out].
  AddedConvolution added_convolution() const {
    const AddedConvolutionDescription& described = *d_.added_convolution;
    const std::string name = outside(names_.added_convolution);
    const Index in = d_.d_model / described.groups;
    const Matrix stored = finder_.kernels(name + ".weight", d_.d_model, in, described.taps);
    AddedConvolution result{{},
                            finder_.row(name + ".bias", d_.d_model),
                            described.groups,
                            described.activation,
                            finder_.norm(outside(names_.added_convolution_norm), d_.d_model)};
    for (Index tap = 0; tap < described.taps; ++tap) {
      Matrix map(in, d_.d_model);
      for (Index i = 0; i < in; ++i) map.row(i) = stored.col(i * described.taps + tap).transpose();
      result.taps.emplace_back(SharedMatrix(std::move(map)));
    }
    return result;
  }

  SublayerNorms norms(Index layer, const NormNames& names) const {
    SublayerNorms norms;
    norms.factor = d_.branch_factor;
    const auto norm = [&](const char* name) {
      return finder_.norm(inside(layer, name), d_.d_model);
    };
    const NormPosition at = d_.norm_position;
    const bool before = at == NormPosition::kBefore || at == NormPosition::kBoth;
    if (before && names.before != nullptr) norms.before = norm(names.before);
    if (at == NormPosition::kBoth || at == NormPosition::kBranch) norms.branch = norm(names.branch);
    if (at == NormPosition::kAfter) norms.after = norm(names.after);
    return norms;
  }

  Attention attention(Index layer, const AttentionNames& names, bool self) const {
    Attention attention;
    attention.n_heads = sizes_.n_heads;
    const LayerDescription& settings = settings_of(layer);
    attention.n_kv_heads = settings.n_kv_heads > 0 ? settings.n_kv_heads : sizes_.n_kv_heads;
    attention.head_dim = settings.head_dim > 0 ? settings.head_dim : sizes_.head_dim;
    attention.key_layer = settings.key_layer;
    attention.value_dim = d_.value_dim;
    attention.causal = self && sizes_.causal;
    set_layer(layer, self, attention);
    attention.score_cap = d_.score_cap;
    if (d_.latent)
      set_latent(layer, names, attention);
    else
      set_projections(layer, names, attention);
    if (self && names.distance_bias != nullptr)
      attention.distance_bias = distance_bias(layer, names);
    if (self && d_.positions == PositionType::kAlibi)
      attention.alibi = {d_.alibi_factor, d_.alibi_rounded};
    if (self && d_.distance_scores) attention.distance_scores = distance_scores(layer, names);
    if (names.sinks != nullptr)
      attention.sinks = finder_.row(inside(layer, names.sinks), sizes_.n_heads);
    attention.output = finder_.linear(inside(layer, names.output), sizes_.n_heads * attention.d_v(),
                                      d_.d_model, d_.biases.attention_output);
    return attention;
  }

  const LayerDescription& settings_of(Index layer) const {
    return d_.layers[std::min(static_cast<std::size_t>(layer), d_.layers.size() - 1)];
  }

  ShortConvolution convolution(Index layer) const {
    const ConvolutionNames& names = names_.convolution;
    const bool biases = d_.convolution.biases;
    const std::string kernel = inside(layer, names.kernel);
    ShortConvolution convolution;
    convolution.in = finder_.linear(inside(layer, names.in), d_.d_model, 3 * d_.d_model, biases);
    convolution.kernel = finder_.matrix(kernel + ".weight", d_.d_model, d_.convolution.taps);
    if (biases) convolution.bias = finder_.row(kernel + ".bias", d_.d_model);
    convolution.out = finder_.linear(inside(layer, names.out), d_.d_model, d_.d_model, biases);
    return convolution;
  }

  DistanceScores distance_scores(Index layer, const AttentionNames& names) const {
    const DistanceScoresDescription& described = *d_.distance_scores;
    DistanceScores scores{.embedding = finder_.matrix(outside(names_.distances) + ".weight",
                                                      2 * described.span, d_.d_model),
                          .norm = {},
                          .buckets = described.buckets,
                          .largest_distance = described.largest_distance,
                          .content_to_position = described.content_to_position,
                          .position_to_content = described.position_to_content,
                          .shared = described.shared,
                          .key = {},
                          .query = {}};
    if (described.norm) scores.norm = finder_.norm(outside(names_.distance_norm), d_.d_model);
    if (scores.shared) return scores;
    if (scores.content_to_position)
      scores.key = finder_.linear(inside(layer, names.position_key), d_.d_model, heads_width(),
                                  described.key_bias);
    if (scores.position_to_content)
      scores.query =
          finder_.linear(inside(layer, names.position_query), d_.d_model, heads_width(), true);
    return scores;
  }

  // What differs between layers.
  void set_layer(Index layer, bool self, Attention& attention) const {
    const LayerDescription& settings = settings_of(layer);
    attention.score_factor = settings.score_factor;
    if (sizes_.head_dim != d_.head_dim)  // an encoder with another number of heads
      attention.score_factor = 1 / std::sqrt(static_cast<float>(sizes_.head_dim));
    if (!self) return;
    attention.window = settings.window;
    if (d_.positions == PositionType::kRotary && settings.rotated)
      attention.rotary = {
          d_.rotary_pairs,       settings.frequencies,
          settings.rotary_scale, rotary_table(settings),
          settings.long_texts,   d_.latent ? sizes_.head_dim - d_.latent->rotary : 0};
  }

  // The table that the file holds, where it is not the one of the frequencies.
  StoredMatrix rotary_table(const LayerDescription& settings) const {
    constexpr float kTolerance = 1e-4f;
    if (names_.rotary_table == nullptr) return {};
    const std::string name = outside(names_.rotary_table) + ".weight";
    if (!finder_.has(name)) return {};
    const auto pairs = static_cast<Index>(settings.frequencies.size());
    const StoredMatrix stored = finder_.matrix(name, d_.max_positions, 2 * pairs);
    const Matrix values = stored.values();
    const attention::RotaryTable expected =
        attention::network::rotary_table({.frequencies = settings.frequencies}, stored.rows());
    const float off = std::max((values.leftCols(pairs) - expected.sines).cwiseAbs().maxCoeff(),
                               (values.rightCols(pairs) - expected.cosines).cwiseAbs().maxCoeff());
    return off <= kTolerance ? StoredMatrix() : stored;
  }

  Index heads_width() const { return sizes_.n_heads * sizes_.head_dim; }

  void set_projections(Index layer, const AttentionNames& names, Attention& attention) const {
    const Index head = attention.head_dim;
    const Index width = sizes_.n_heads * head, kv_width = attention.n_kv_heads * head;
    const bool bias = d_.biases.query_key_value && names.query_bias == nullptr;
    const auto add = [&](const char* name, Index columns) {
      attention.projections.push_back(
          finder_.linear(inside(layer, name), d_.d_model, columns, bias));
    };
    if (attention.key_layer) {
      add(names.query, width);
      attention.query = {0, 0, head};
    } else if (names.fused == nullptr) {
      add(names.query, width);
      add(names.key, kv_width);
      add(settings_of(layer).value_is_key ? names.key : names.value, kv_width);
      attention.query = {0, 0, head};
      attention.key = {1, 0, head};
      attention.value = {2, 0, head};
    } else {
      add(names.fused, width + 2 * kv_width);
      set_fused_columns(attention);
      if (names.query_bias != nullptr) set_separate_biases(layer, names, attention);
    }
    if (d_.value_norm && !attention.key_layer)
      attention.value_norm = Norm{NormType::kRms, {}, {}, d_.norm_epsilon, false};
    if (!d_.query_key_norm) return;
    attention.norms_of_all_heads = d_.query_key_norm_joint;
    const bool joint = d_.query_key_norm_joint;
    attention.query_norm = finder_.norm(inside(layer, names.query_norm), joint ? width : head);
    if (!attention.key_layer)
      attention.key_norm = finder_.norm(inside(layer, names.key_norm), joint ? kv_width : head);
    for (std::optional<Norm>* norm : {&attention.query_norm, &attention.key_norm})
      if (*norm) (*norm)->epsilon = d_.query_key_epsilon.value_or(d_.norm_epsilon);
  }

  // The bias of a fused map, of which that of the queries and that of the values are stored.
  void set_separate_biases(Index layer, const AttentionNames& names, Attention& attention) const {
    Linear& map = attention.projections.front();
    Matrix all = Matrix::Zero(1, map.W.cols());
    const auto place = [&](const char* name, const HeadColumns& columns) {
      const Matrix bias = finder_.row(inside(layer, name), heads_width()).values();
      for (Index head = 0; head < sizes_.n_heads; ++head)
        all.middleCols(columns.of_head(head), sizes_.head_dim) =
            bias.middleCols(head * sizes_.head_dim, sizes_.head_dim);
    };
    place(names.query_bias, attention.query);
    place(names.value_bias, attention.value);
    map.b = StoredMatrix(SharedMatrix(std::move(all)));
  }

  // Multi-head latent attention. The norms of its rows have an epsilon of their own.
  void set_latent(Index layer, const AttentionNames& names, Attention& attention) const {
    constexpr float kEpsilon = 1e-6f;
    const LatentDescription& latent = *d_.latent;
    const Index head = sizes_.head_dim, own = head - latent.rotary, d_v = attention.d_v();
    const auto linear = [&](const char* name, Index in, Index out, bool bias) {
      return finder_.linear(inside(layer, name), in, out, bias);
    };
    const auto compressed = [&](const char* down, const char* norm, Index rank, Index more) {
      CompressedRow row{linear(down, d_.d_model, rank + more, d_.biases.query_key_value),
                        finder_.norm(inside(layer, norm), rank), rank};
      row.norm.epsilon = kEpsilon;
      return row;
    };
    const LatentNames& of = names.latent;
    attention.latent.emplace();
    if (latent.query_rank > 0) {
      attention.latent->query = compressed(of.query_down, of.query_norm, latent.query_rank, 0);
      attention.projections = {linear(of.query_up, latent.query_rank, heads_width(), false)};
    } else {
      attention.projections = {linear(names.query, d_.d_model, heads_width(), false)};
    }
    attention.latent->key_value =
        compressed(of.key_value_down, of.key_value_norm, latent.key_value_rank, latent.rotary);
    attention.query = {0, 0, head};
    const auto has = [&](const char* name) { return finder_.has(inside(layer, name) + ".weight"); };
    if (!has(of.key_value_up) && has(of.key_up)) {
      attention.projections.push_back(
          {maps_of_heads(inside(layer, of.key_up), latent.key_value_rank, own), {}});
      attention.projections.push_back(
          linear(of.value_up, latent.key_value_rank, sizes_.n_heads * d_v, false));
      attention.key = {1, 0, own};
      attention.value = {2, 0, d_v};
      return;
    }
    attention.projections.push_back(
        linear(of.key_value_up, latent.key_value_rank, sizes_.n_heads * (own + d_v), false));
    attention.key = {1, 0, own + d_v};
    attention.value = {1, own, own + d_v};
  }

  // One map to all heads, of those of each that are stored one below the other.
  StoredMatrix maps_of_heads(const std::string& name, Index in, Index out) const {
    const StoredMatrix stored = finder_.matrix(name + ".weight", sizes_.n_heads * in, out);
    return {std::make_shared<MapsSideBySide>(stored, in), {in, sizes_.n_heads * out}};
  }

  void set_fused_columns(Attention& attention) const {
    const Index head = sizes_.head_dim, shared = sizes_.n_heads / sizes_.n_kv_heads;
    const Index width = heads_width(), kv_width = sizes_.n_kv_heads * head;
    const Index group = (shared + 2) * head, quarter = sizes_.n_heads / 4;
    switch (d_.fused) {
      case FusedLayout::kByPart:
        attention.query = {0, 0, head};
        attention.key = {0, width, head};
        attention.value = {0, width + kv_width, head};
        return;
      case FusedLayout::kByHead:
        attention.query = {0, 0, 3 * head};
        attention.key = {0, head, 3 * head};
        attention.value = {0, 2 * head, 3 * head};
        return;
      case FusedLayout::kByKeyHead:
        attention.query = {0, 0, head, shared, group};
        attention.key = {0, shared * head, group};
        attention.value = {0, (shared + 1) * head, group};
        return;
      case FusedLayout::kInFour:
        attention.query = {0, 0, head, quarter, 3 * quarter * head};
        attention.value = {0, quarter * head, head, quarter, 3 * quarter * head};
        attention.key = {0, 2 * quarter * head, head, quarter, 3 * quarter * head};
    }
  }

  DistanceBias distance_bias(Index layer, const AttentionNames& names) const {
    const Index holder = d_.bias_in_each_layer ? layer : 0;
    const std::string name = *names.distance_bias == '*' ? outside(names.distance_bias + 1)
                                                         : inside(holder, names.distance_bias);
    const StoredMatrix table =
        finder_.matrix(name + ".weight", d_.stored_buckets(), sizes_.n_heads);
    return {table.row_range(0, d_.distance_buckets), !sizes_.causal, d_.largest_distance};
  }

  // Columns `first` to `first` + `count` of a linear map.
  static Linear columns(const Linear& linear, Index first, Index count) {
    return {linear.W.columns(first, count),
            linear.b.empty() ? linear.b : linear.b.columns(first, count)};
  }

  // The MLP, or the experts and the MLP beside them.
  void set_feed_forward(Index layer, Block& block) const {
    const ExpertsDescription& described = d_.experts;
    const bool dense = described.count == 0 || !d_.layers[static_cast<std::size_t>(layer)].experts;
    if (dense) return void(block.mlp = mlp(layer));
    const ExpertNames& names = names_.experts;
    const auto linear = [&](const std::string& name, Index in, Index out, bool bias) {
      return finder_.linear(inside(layer, name), in, out, bias);
    };
    const auto gated = [&](const std::string& gate, const std::string& up, const std::string& down,
                           Index inner, bool bias) {
      Mlp mlp;
      mlp.activation = d_.activation;
      mlp.gate = linear(gate, d_.d_model, inner, bias);
      mlp.up = linear(up, d_.d_model, inner, bias);
      mlp.down = linear(down, inner, d_.d_model, bias);
      return mlp;
    };
    if (described.apart) block.mlp = mlp(layer);
    if (described.d_shared > 0)
      block.mlp = gated(names.shared_mlp_gate, names.shared_up, names.shared_down,
                        described.d_shared, d_.biases.mlp);
    Experts experts;
    experts.router = linear(names.router, d_.d_model, described.count, described.biases);
    if (described.correction)
      experts.correction = finder_.row(inside(layer, names.correction), described.count);
    if (described.apart) set_apart(layer, experts);
    if (described.shared_gate)
      experts.shared_gate = linear(names.shared_gate, d_.d_model, 1, described.biases);
    for (Index expert = 0; expert < described.count; ++expert) {
      const auto name = [&](std::string of_expert) {
        replace_all(of_expert, "{}", std::to_string(expert));
        return of_expert;
      };
      const bool in_one =
          names.gate_up != nullptr && !finder_.has(inside(layer, name(names.gate)) + ".weight");
      experts.experts.push_back(in_one ? gated_in_one(layer, name(names.gate_up), name(names.down))
                                       : gated(name(names.gate), name(names.up), name(names.down),
                                               described.d_mlp, described.biases));
      experts.experts.back().clamped = described.clamped;
    }
    experts.chosen = described.chosen;
    experts.groups = described.groups;
    experts.chosen_groups = described.chosen_groups;
    experts.group_rank = described.group_rank;
    experts.shares = described.shares;
    experts.normalised = described.normalised;
    experts.factor = described.factor;
    experts.added_to_sum = described.added_to_sum;
    block.experts = std::move(experts);
  }

  // What experts that stand apart from the MLP of all rows have besides.
  void set_apart(Index layer, Experts& experts) const {
    const ExpertNames& names = names_.experts;
    const auto norm = [&](const char* name) {
      return finder_.norm(inside(layer, name), d_.d_model);
    };
    Matrix scale = finder_.row(inside(layer, names.router_scale), d_.d_model).values();
    scale /= std::sqrt(static_cast<float>(d_.d_model));
    const Norm router{
        d_.norm, StoredMatrix(SharedMatrix(std::move(scale))), {}, d_.norm_epsilon, false};
    experts.norms = {router, norm(names.before), norm(names.after), norm(names.beside)};
    experts.scales = finder_.row(inside(layer, names.scales), d_.experts.count);
  }

  // An expert whose gate and up are in one map, in halves or with outputs that take turns.
  Mlp gated_in_one(Index layer, const std::string& gate_up, const std::string& down) const {
    const Index inner = d_.experts.d_mlp;
    const bool biases = d_.experts.biases;
    const Linear both = finder_.linear(inside(layer, gate_up), d_.d_model, 2 * inner, biases);
    const auto every_second = [&](Index first) {
      return Linear{every_second_column(both.W, first),
                    both.b.empty() ? both.b : every_second_column(both.b, first)};
    };
    Mlp mlp;
    mlp.activation = d_.activation;
    mlp.gate = d_.experts.halves ? columns(both, 0, inner) : every_second(0);
    mlp.up = d_.experts.halves ? columns(both, inner, inner) : every_second(1);
    mlp.down = finder_.linear(inside(layer, down), inner, d_.d_model, biases);
    return mlp;
  }

  Mlp mlp(Index layer) const {
    const Index of_layer = settings_of(layer).d_mlp;
    const Index d_mlp = of_layer > 0 ? of_layer : sizes_.d_mlp;
    const auto linear = [&](const char* name, Index in, Index out) {
      return finder_.linear(inside(layer, name), in, out, d_.biases.mlp);
    };
    const bool other_up = d_.gated && names_.gated_up != nullptr;
    Mlp mlp;
    mlp.activation = d_.activation;
    if (names_.gate_up != nullptr) {
      const Linear both = linear(names_.gate_up, d_.d_model, 2 * d_mlp);
      mlp.gate = columns(both, 0, d_mlp);
      mlp.up = columns(both, d_mlp, d_mlp);
    } else {
      mlp.up = linear(other_up ? names_.gated_up : names_.up, d_.d_model, d_mlp);
      if (d_.gated) mlp.gate = linear(names_.gate, d_.d_model, d_mlp);
    }
    mlp.down = linear(names_.down, d_mlp, d_.d_model);
    return mlp;
  }

  TensorFinder& finder_;
  const Description& d_;
  const StackNames& names_;
  StackSizes sizes_;
};

}  // namespace

BuiltNetwork build_network(const Description& d, const Checkpoint& checkpoint) {
  TensorFinder finder(d, checkpoint);
  BuiltNetwork built;
  Network& network = built.network;
  network.stack = StackBuilder(finder, finder.names().stack,
                               {d.n_layers, d.n_heads, d.n_kv_heads, d.head_dim, d.d_mlp,
                                d.vocabulary, d.causal})
                      .build();
  if (d.n_encoder_layers > 0) {
    const Index head_dim =
        d.encoder_head_dim > 0 ? d.encoder_head_dim : d.d_model / d.n_encoder_heads;
    network.encoder =
        StackBuilder(
            finder, finder.names().encoder,
            {d.n_encoder_layers, d.n_encoder_heads, d.n_encoder_heads, head_dim, d.d_encoder_mlp,
             d.encoder_vocabulary > 0 ? d.encoder_vocabulary : d.vocabulary, false})
            .build();
  }
  network.read_out = build_read_out(finder);
  validate(network);
  built.notes = finder.notes();
  return built;
}

}  // namespace lab::files
