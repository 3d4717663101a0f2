#include "app/files/model/build_network.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "app/base/bad_input.h"
#include "app/base/replace_all.h"
#include "app/files/model/families.h"
#include "app/files/tensors/elements.h"
#include "core/layer/positions.h"

namespace lab::files {
namespace {

using attention::Index;
using attention::Matrix;
using attention::Shape;
using attention::SharedMatrix;
using namespace attention::network;

// The sizes in which the two stacks differ.
struct StackSizes {
  Index n_layers, n_heads, n_kv_heads, head_dim, d_mlp;
  bool causal;
};

// True for what older versions of transformers save besides the weights: masks, frequencies, and
// the buckets of distances of T5's cross-attention.
bool is_buffer(const std::string& name) {
  constexpr std::array kEndings = {
      ".attn.bias",           ".attn.masked_bias",
      ".attention.bias",      ".attention.masked_bias",
      ".rotary_emb.inv_freq", ".EncDecAttention.relative_attention_bias.weight"};
  return std::ranges::any_of(kEndings, [&](const char* end) { return name.ends_with(end); });
}

// Finds the tensors of one network by their names, and remembers which were asked for.
class TensorFinder {
 public:
  TensorFinder(const Description& description, const Checkpoint& checkpoint)
      : d_(description),
        checkpoint_(checkpoint),
        names_(family_of(description).names),
        prefix_(names_.prefixes.front()) {
    for (const char* prefix : names_.prefixes) {
      if (prefix == nullptr || find_either(prefix, names_.stack.tokens).empty()) continue;
      prefix_ = prefix;
      break;
    }
  }

  std::string with_prefix(const std::string& name) const { return prefix_ + name; }
  bool has(const std::string& name) const { return checkpoint_.contains(name); }

  // The tensor `name`, which must have that shape.
  StoredMatrix matrix(const std::string& name, Index rows, Index cols) {
    StoredMatrix matrix = checkpoint_.matrix(name);
    used_.insert(name);
    if (matrix.shape() != Shape{rows, cols})
      throw BadInput("tensor " + in_quotes(name) + " is " +
                     shape_text({matrix.rows(), matrix.cols()}) + ", but config.json says " +
                     shape_text({rows, cols}));
    return matrix;
  }
  StoredMatrix row(const std::string& name, Index cols) { return matrix(name, 1, cols); }

  // The first of `names` after `prefix` that is there, with .weight; empty when none is.
  std::string find_either(const std::string& prefix, const EitherName& names) const {
    for (const char* name : names)
      if (name != nullptr && has(prefix + name + ".weight")) return prefix + name + ".weight";
    return "";
  }
  // The same; when none is there, the first, so that it is named as missing.
  std::string either(const std::string& prefix, const EitherName& names) const {
    const std::string found = find_either(prefix, names);
    return found.empty() ? prefix + names.front() + ".weight" : found;
  }

  Linear linear(const std::string& name, Index in, Index out, bool bias) {
    Linear result;
    result.W = names_.stored_in_out ? matrix(name + ".weight", in, out)
                                    : matrix(name + ".weight", out, in).transposed();
    if (bias) result.b = row(name + ".bias", out);
    return result;
  }

  // A norm; older checkpoints call its weight gamma and its bias beta.
  Norm norm(const std::string& name, Index d) {
    const bool old = !has(name + ".weight") && has(name + ".gamma");
    Norm result{.kind = d_.norm,
                .weight = row(name + (old ? ".gamma" : ".weight"), d),
                .bias = {},
                .epsilon = d_.norm_epsilon,
                .weight_plus_one = d_.norm_weight_plus_one};
    if (d_.biases.norm) result.bias = row(name + (old ? ".beta" : ".bias"), d);
    return result;
  }

  // Adds the tensors of the layers of a stack that were not asked for.
  void add_unused(const StackNames& names, std::vector<std::string>& unused) const {
    const std::string layer = names.layer;
    const std::string start = with_prefix(layer.substr(0, layer.find('{')));
    for (const auto& [name, tensor] : checkpoint_.tensors())
      if (name.starts_with(start) && !used_.contains(name) && !is_buffer(name))
        unused.push_back(name);
  }

  const Description& description() const { return d_; }
  const ModelNames& names() const { return names_; }

 private:
  const Description& d_;
  const Checkpoint& checkpoint_;
  const ModelNames& names_;
  std::set<std::string> used_;
  std::string prefix_;  // the first when no other fits, so that a missing tensor is named with it
};

// Sinusoidal positions with all sines before all cosines: the order of Marian's features.
StoredMatrix sinusoidal_table(Index positions, Index d_model) {
  const Matrix in_turns = attention::sinusoidal_positions(positions, d_model);
  const Index sines = (d_model + 1) / 2;
  Matrix table(positions, d_model);
  for (Index col = 0; col < d_model; ++col)
    table.col(col) = in_turns.col(col < sines ? 2 * col : 2 * (col - sines) + 1);
  return StoredMatrix(SharedMatrix(std::move(table)));
}

// Builds one of the stacks.
class StackBuilder {
 public:
  StackBuilder(TensorFinder& finder, const StackNames& names, const StackSizes& sizes)
      : finder_(finder), d_(finder.description()), names_(names), sizes_(sizes) {}

  Stack build() const {
    Stack stack;
    stack.embedding = embedding();
    for (Index layer = 0; layer < sizes_.n_layers; ++layer) stack.blocks.push_back(block(layer));
    if (d_.final_norm) stack.final_norm = finder_.norm(outside(names_.final_norm), d_.d_model);
    return stack;
  }

 private:
  // The name of something outside the layers, and of something in one.
  std::string outside(const std::string& name) const { return finder_.with_prefix(name); }
  std::string inside(Index layer, const std::string& name) const {
    std::string prefix = names_.layer;
    replace_all(prefix, "{}", std::to_string(layer));
    return outside(prefix) + name;
  }

  Embedding embedding() const {
    Embedding embedding;
    embedding.tokens =
        finder_.matrix(finder_.either(outside(""), names_.tokens), d_.vocabulary, d_.d_embedding);
    embedding.scale = d_.embedding_scale;
    const Index rows = d_.max_positions + d_.position_offset;
    if (d_.positions == PositionKind::kLearned) {
      embedding.positions = finder_.matrix(outside(names_.positions) + ".weight", rows, d_.d_model);
    } else if (d_.positions == PositionKind::kSinusoidal) {
      embedding.positions = sinusoidal_table(rows, d_.d_model);
    }
    embedding.position_offset = d_.position_offset;
    embedding.padding = d_.padding;
    if (d_.token_types > 0 && names_.types != nullptr)
      embedding.types =
          finder_.matrix(outside(names_.types) + ".weight", d_.token_types, d_.d_model);
    if (d_.d_embedding != d_.d_model)
      embedding.projection =
          finder_.linear(outside(names_.embedding_projection), d_.d_embedding, d_.d_model, false);
    if (d_.embedding_norm)
      embedding.norm = finder_.norm(outside(names_.embedding_norm), d_.d_model);
    return embedding;
  }

  Block block(Index layer) const {
    Block block;
    block.attention = attention(layer, names_.attention, true);
    block.attention_norms = norms(layer, names_.attention.norms);
    if (names_.cross_attention.output != nullptr) {
      block.cross_attention = attention(layer, names_.cross_attention, false);
      block.cross_norms = norms(layer, names_.cross_attention.norms);
    }
    block.mlp = mlp(layer);
    block.mlp_norms = norms(layer, names_.mlp_norms);
    block.parallel = d_.parallel;
    return block;
  }

  SublayerNorms norms(Index layer, const NormNames& names) const {
    SublayerNorms norms;
    const auto norm = [&](const char* name) {
      return finder_.norm(inside(layer, name), d_.d_model);
    };
    const bool after = d_.norm_place == NormPlace::kAfter;
    if (!after && names.before != nullptr) norms.before = norm(names.before);
    if (d_.norm_place == NormPlace::kBoth) norms.branch = norm(names.branch);
    if (after) norms.after = norm(names.after);
    return norms;
  }

  Attention attention(Index layer, const AttentionNames& names, bool self) const {
    Attention attention;
    attention.n_heads = sizes_.n_heads;
    attention.n_kv_heads = sizes_.n_kv_heads;
    attention.head_dim = sizes_.head_dim;
    attention.causal = self && sizes_.causal;
    set_layer(layer, self, attention);
    attention.score_cap = d_.score_cap;
    set_projections(layer, names, attention);
    if (self && names.distance_bias != nullptr) attention.distance_bias = distance_bias(names);
    attention.output = finder_.linear(inside(layer, names.output), heads_width(), d_.d_model,
                                      d_.biases.attention_output);
    return attention;
  }

  // What differs between layers.
  void set_layer(Index layer, bool self, Attention& attention) const {
    const std::size_t at = std::min(static_cast<std::size_t>(layer), d_.layers.size() - 1);
    const LayerDescription& settings = d_.layers[at];
    attention.score_factor = settings.score_factor;
    if (sizes_.head_dim != d_.head_dim)  // an encoder with another number of heads
      attention.score_factor = 1 / std::sqrt(static_cast<float>(sizes_.head_dim));
    if (!self) return;
    attention.window = settings.window;
    if (d_.positions == PositionKind::kRotary)
      attention.rotary = {d_.rotary_pairs, settings.frequencies, d_.rotary_scale};
  }

  Index heads_width() const { return sizes_.n_heads * sizes_.head_dim; }

  void set_projections(Index layer, const AttentionNames& names, Attention& attention) const {
    const Index width = heads_width(), kv_width = sizes_.n_kv_heads * sizes_.head_dim;
    const Index head = sizes_.head_dim;
    const auto add = [&](const char* name, Index columns) {
      attention.projections.push_back(
          finder_.linear(inside(layer, name), d_.d_model, columns, d_.biases.query_key_value));
    };
    if (names.fused == nullptr) {
      add(names.query, width);
      add(names.key, kv_width);
      add(names.value, kv_width);
      attention.query = {0, 0, head};
      attention.key = {1, 0, head};
      attention.value = {2, 0, head};
    } else {
      add(names.fused, 3 * width);
      const Index step = finder_.names().fused_by_head ? 3 * head : head;
      const Index across = finder_.names().fused_by_head ? head : width;
      attention.query = {0, 0, step};
      attention.key = {0, across, step};
      attention.value = {0, 2 * across, step};
    }
    if (!d_.query_key_norm) return;
    attention.query_norm = finder_.norm(inside(layer, names.query_norm), head);
    attention.key_norm = finder_.norm(inside(layer, names.key_norm), head);
  }

  DistanceBias distance_bias(const AttentionNames& names) const {
    const std::string name = inside(0, names.distance_bias) + ".weight";
    return {finder_.matrix(name, d_.distance_buckets, sizes_.n_heads), !sizes_.causal,
            d_.largest_distance};
  }

  Mlp mlp(Index layer) const {
    const auto linear = [&](const char* name, Index in, Index out) {
      return finder_.linear(inside(layer, name), in, out, d_.biases.mlp);
    };
    const bool other_up = d_.gated && names_.gated_up != nullptr;
    Mlp mlp;
    mlp.activation = d_.activation;
    mlp.up = linear(other_up ? names_.gated_up : names_.up, d_.d_model, sizes_.d_mlp);
    if (d_.gated) mlp.gate = linear(names_.gate, d_.d_model, sizes_.d_mlp);
    mlp.down = linear(names_.down, sizes_.d_mlp, d_.d_model);
    return mlp;
  }

  TensorFinder& finder_;
  const Description& d_;
  const StackNames& names_;
  StackSizes sizes_;
};

// The bias of the read-out, if it has one.
StoredMatrix read_out_bias(TensorFinder& finder) {
  const Description& d = finder.description();
  if (!d.biases.read_out) return {};
  for (const char* name : finder.names().read_out.bias)
    if (name != nullptr && finder.has(name)) return finder.row(name, d.vocabulary);
  return {};
}

// A model that was saved without its head has none.
std::optional<ReadOut> read_out(TensorFinder& finder, const Stack& stack) {
  const Description& d = finder.description();
  const ReadOutNames& names = finder.names().read_out;
  const bool transformed = names.transform != nullptr;
  if (transformed && !finder.has(names.transform + std::string(".weight"))) return std::nullopt;
  // Where the file holds a matrix of its own it counts: transformers 5 calls every T5 tied.
  const std::string tokens = names.tokens + std::string(".weight");
  const bool own = finder.has(tokens);
  if (!d.tied && !own) return std::nullopt;
  ReadOut result;
  result.activation = d.activation;
  if (transformed) {
    result.transform = finder.linear(names.transform, d.d_model, d.d_model, true);
    result.norm = finder.norm(names.norm, d.d_model);
  }
  if (d.d_embedding != d.d_model)
    result.projection =
        finder.linear(finder.with_prefix(names.projection), d.d_model, d.d_embedding, false);
  result.scale = d.read_out_scale;
  result.tokens.W =
      (own ? finder.matrix(tokens, d.vocabulary, d.d_embedding) : stack.embedding.tokens)
          .transposed();
  result.tokens.b = read_out_bias(finder);
  result.cap = d.logit_cap;
  return result;
}

}  // namespace

BuiltNetwork build_network(const Description& d, const Checkpoint& checkpoint) {
  TensorFinder finder(d, checkpoint);
  BuiltNetwork built;
  Network& network = built.network;
  network.stack = StackBuilder(finder, finder.names().stack,
                               {d.n_layers, d.n_heads, d.n_kv_heads, d.head_dim, d.d_mlp, d.causal})
                      .build();
  if (d.n_encoder_layers > 0) {
    const Index head_dim = d.family == "t5" ? d.head_dim : d.d_model / d.n_encoder_heads;
    network.encoder = StackBuilder(finder, finder.names().encoder,
                                   {d.n_encoder_layers, d.n_encoder_heads, d.n_encoder_heads,
                                    head_dim, d.d_encoder_mlp, false})
                          .build();
  }
  network.read_out = read_out(finder, network.stack);
  validate(network);
  finder.add_unused(finder.names().stack, built.unused);
  if (network.encoder) finder.add_unused(finder.names().encoder, built.unused);
  return built;
}

}  // namespace lab::files
