#include "app/files/model/build_network.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "app/base/bad_input.h"
#include "app/base/strings.h"
#include "app/files/model/families.h"
#include "app/files/tensors/elements.h"
#include "core/layer/positions.h"
#include "core/network/positions.h"

namespace lab::files {
namespace {

using attention::Index;
using attention::Matrix;
using attention::Shape;
using attention::SharedMatrix;
using namespace attention::network;

// The sizes in which the two stacks differ.
struct StackSizes {
  Index n_layers, n_heads, n_kv_heads, head_dim, d_mlp, vocabulary;
  bool causal;
};

// True for what older versions of transformers save besides the weights: masks, frequencies,
// numbers of positions, versions, and the buckets of distances of T5's cross-attention.
bool is_buffer(const std::string& name) {
  constexpr std::array kEndings = {".attn.bias",
                                   ".attn.masked_bias",
                                   ".attention.bias",
                                   ".attention.masked_bias",
                                   ".rotary_emb.inv_freq",
                                   ".EncDecAttention.relative_attention_bias.weight",
                                   ".position_ids",
                                   ".token_type_ids",
                                   "coder.version",
                                   ".embed_positions._float_tensor",
                                   ".embed_positions.weights",
                                   ".self_attention.rotary_emb.inv_freq",
                                   "final_logits_bias"};
  return std::ranges::any_of(kEndings, [&](const char* end) { return name.ends_with(end); });
}

// True for the weights of heads for other tasks than the next token or a gap, and of poolers, which
// the network has no place for; `name` is without the prefix of stacks.
bool is_other_head(const std::string& name) {
  constexpr std::array kHeads = {"pooler.",         "cls.seq_relationship.",
                                 "classifier.",     "classification_head.",
                                 "pre_classifier.", "qa_outputs.",
                                 "score.",          "multiple_choice_head.",
                                 "sop_classifier.", "discriminator_predictions."};
  return std::ranges::any_of(kHeads, [&](const char* begin) { return name.starts_with(begin); });
}

// True when two matrices of one shape differ in some of 16 rows that lie evenly over them, because
// matrices that a file holds twice are equal or differ nearly everywhere.
bool rows_differ(const StoredMatrix& a, const StoredMatrix& b) {
  constexpr Index kRows = 16;
  const Index step = std::max<Index>(1, a.rows() / kRows);
  for (Index row = 0; row < a.rows(); row += step) {
    const Matrix difference = a.row_range(row, 1).values() - b.row_range(row, 1).values();
    if (!(difference.array() == 0).all()) return true;
  }
  return false;
}

// Finds the tensors of one network by their names, and remembers which were asked for.
class TensorFinder {
 public:
  TensorFinder(const Description& description, const Checkpoint& checkpoint)
      : d_(description), checkpoint_(checkpoint), names_(names_of(description)) {
    for (const char* prefix : names_.prefixes) {
      if (prefix == nullptr || !has_layers(prefix)) continue;
      prefix_ = prefix;
      break;
    }
    if (d_.tied) add_ties(d_.shared ? names_.ties : names_.ties_of_unshared);
  }

  std::string with_prefix(const std::string& name) const { return prefix_ + name; }
  bool has(const std::string& name) const { return !stored_name(name).empty(); }
  // True when the file holds `name` itself, not only a tensor that it is tied to.
  bool has_own(const std::string& name) const { return checkpoint_.contains(name); }

  // The tensor `name`, or what it is tied to, which must have that shape.
  StoredMatrix matrix(const std::string& name, Index rows, Index cols) {
    const std::string stored = stored_name(name);
    if (stored.empty()) throw BadInput(missing(name));
    StoredMatrix matrix = checkpoint_.matrix(stored);
    used_.insert(stored);
    if (matrix.shape() != Shape{rows, cols})
      throw BadInput("tensor " + in_quotes(stored) + " is " +
                     shape_text({matrix.rows(), matrix.cols()}) + ", but config.json says " +
                     shape_text({rows, cols}));
    return matrix;
  }
  StoredMatrix row(const std::string& name, Index cols) { return matrix(name, 1, cols); }

  Linear linear(const std::string& name, Index in, Index out, bool bias) {
    Linear result;
    result.W = names_.stored_in_out ? matrix(name + ".weight", in, out)
                                    : matrix(name + ".weight", out, in).transposed();
    if (bias) result.b = row(name + ".bias", out);
    return result;
  }

  // A norm; older checkpoints call its weight gamma and its bias beta.
  Norm norm(const std::string& name, Index d) {
    if (!d_.norm_weights) return {d_.norm, {}, {}, d_.norm_epsilon, d_.norm_weight_plus_one};
    const bool old = !has(name + ".weight") && has(name + ".gamma");
    Norm result{.type = d_.norm,
                .weight = row(name + (old ? ".gamma" : ".weight"), d),
                .bias = {},
                .epsilon = d_.norm_epsilon,
                .weight_plus_one = d_.norm_weight_plus_one};
    if (d_.biases.norm) result.bias = row(name + (old ? ".beta" : ".bias"), d);
    return result;
  }

  void add_note(std::string note) { notes_.push_back(std::move(note)); }

  // What a person should know about the tensors, after all have been asked for.
  std::vector<std::string> notes() const {
    std::vector<std::string> notes = notes_;
    for (const auto& [tensor, source] : ties_)
      if (!d_.may_untie && differ(tensor, source))
        notes.push_back("config.json ties " + in_quotes(tensor) + " to " + in_quotes(source) +
                        ", but both are stored and they differ: each is used as it is stored");
    if (const std::string note = unused_note(); !note.empty()) notes.push_back(note);
    return notes;
  }

  const Description& description() const { return d_; }
  const ModelNames& names() const { return names_; }

 private:
  // The part of a layer's name before its number, after `prefix`.
  static std::string layers_after(const std::string& prefix, const StackNames& names) {
    const std::string layer = names.layer;
    return prefix + layer.substr(0, layer.find('{'));
  }

  bool has_layers(const std::string& prefix) const {
    const std::string start = layers_after(prefix, names_.stack);
    const auto at = checkpoint_.tensors().lower_bound(start);
    return at != checkpoint_.tensors().end() && at->first.starts_with(start);
  }

  void add_ties(const TiedTensors& ties) {
    const auto full = [&](const char* name) {
      return *name == '*' ? with_prefix(name + 1) : std::string(name);
    };
    for (const TiedTensor& tie : ties)
      if (tie.tensor != nullptr) ties_.emplace_back(full(tie.tensor), full(tie.source));
  }

  // The name under which the numbers of `name` are stored: its own, another one that the file says
  // is the same, or the first that is there of those it is tied to, their source before the others,
  // as the reference chooses; empty when there is none.
  std::string stored_name(const std::string& name) const {
    if (std::string own = checkpoint_.stored_name(name); !own.empty()) return own;
    const auto of_name = std::ranges::find_if(
        ties_, [&](const auto& tie) { return tie.first == name || tie.second == name; });
    if (of_name == ties_.end()) return "";
    const std::string source = of_name->second;
    if (std::string own = checkpoint_.stored_name(source); !own.empty()) return own;
    for (const auto& [tensor, of] : ties_) {
      if (of != source) continue;
      if (std::string own = checkpoint_.stored_name(tensor); !own.empty()) return own;
    }
    return "";
  }

  std::string missing(const std::string& name) const {
    std::string text = "tensor " + in_quotes(name) + " is missing";
    std::string others;
    for (const auto& [tensor, source] : ties_)
      if (source == name || tensor == name)
        others += (others.empty() ? "" : ", ") + in_quotes(source == name ? tensor : source);
    if (!others.empty()) text += ", and so is what it may be tied to: " + others;
    const std::string nearest = checkpoint_.nearest_name(name);
    return nearest.empty() ? text : text + "; the nearest that is there is " + in_quotes(nearest);
  }

  bool differ(const std::string& tensor, const std::string& source) const {
    if (!has_own(tensor) || !has_own(source)) return false;
    const auto matrix = [&](const std::string& name) {
      return guarded([&] { return checkpoint_.matrix(name); });
    };
    const auto a = matrix(tensor), b = matrix(source);
    return a && b && (a->shape() != b->shape() || rows_differ(*a, *b));
  }

  bool is_tied(const std::string& name) const {
    return std::ranges::any_of(
        ties_, [&](const auto& tie) { return tie.first == name || tie.second == name; });
  }

  std::string unused_note() const {
    std::vector<std::string> unused;
    for (const auto& [name, tensor] : checkpoint_.tensors()) {
      const std::string rest = name.starts_with(prefix_) ? name.substr(prefix_.size()) : name;
      if (!used_.contains(name) && !is_tied(name) && !is_buffer("." + name) &&
          !is_other_head(rest) && !is_replaced_bias(name))
        unused.push_back(name);
    }
    if (unused.empty()) return {};
    const std::size_t count = unused.size();
    return "the network that config.json describes has no place for " + std::to_string(count) +
           (count == 1 ? " tensor" : " tensors, the first of them") + ", " +
           in_quotes(unused.front()) + "; " + (count == 1 ? "it is" : "they are") + " not used";
  }

  // The second name of a read-out's bias where the weights are not tied.
  bool is_replaced_bias(const std::string& name) const {
    return std::ranges::any_of(names_.ties, [&](const TiedTensor& tie) {
      return tie.source != nullptr && name == tie.source && name.ends_with(".bias");
    });
  }

  const Description& d_;
  const Checkpoint& checkpoint_;
  const ModelNames& names_;
  std::string prefix_ = names_.prefixes.front();  // a missing tensor is named with the first one
  std::vector<std::pair<std::string, std::string>> ties_;  // tensor and source, with their prefix
  std::set<std::string> used_;
  std::vector<std::string> notes_;
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
    if (d_.embedding_norm) embedding.norm = finder_.norm(outside(names_.embedding_norm), width);
    return embedding;
  }

  Block block(Index layer) const {
    Block block;
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
    return block;
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
    attention.n_kv_heads = sizes_.n_kv_heads;
    attention.head_dim = sizes_.head_dim;
    attention.causal = self && sizes_.causal;
    set_layer(layer, self, attention);
    attention.score_cap = d_.score_cap;
    set_projections(layer, names, attention);
    if (self && names.distance_bias != nullptr)
      attention.distance_bias = distance_bias(layer, names);
    if (self && d_.positions == PositionType::kAlibi)
      attention.alibi = {d_.alibi_factor, d_.alibi_rounded};
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
    if (d_.positions == PositionType::kRotary && settings.rotated)
      attention.rotary = {d_.rotary_pairs, settings.frequencies, settings.rotary_scale,
                          rotary_table(settings), settings.long_texts};
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
    const attention::RotaryTable usual =
        attention::network::rotary_table({.frequencies = settings.frequencies}, stored.rows());
    const float off = std::max((values.leftCols(pairs) - usual.sines).cwiseAbs().maxCoeff(),
                               (values.rightCols(pairs) - usual.cosines).cwiseAbs().maxCoeff());
    return off <= kTolerance ? StoredMatrix() : stored;
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
      add(names.fused, width + 2 * kv_width);
      set_fused_columns(attention);
    }
    if (!d_.query_key_norm) return;
    attention.query_norm = finder_.norm(inside(layer, names.query_norm), head);
    attention.key_norm = finder_.norm(inside(layer, names.key_norm), head);
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
    const auto linear = [&](const std::string& name, Index in, Index out) {
      return finder_.linear(inside(layer, name), in, out, false);
    };
    const auto gated = [&](const std::string& gate, const std::string& up, const std::string& down,
                           Index inner) {
      Mlp mlp;
      mlp.activation = d_.activation;
      mlp.gate = linear(gate, d_.d_model, inner);
      mlp.up = linear(up, d_.d_model, inner);
      mlp.down = linear(down, inner, d_.d_model);
      return mlp;
    };
    if (described.d_shared > 0)
      block.mlp =
          gated(names.shared_mlp_gate, names.shared_up, names.shared_down, described.d_shared);
    Experts experts;
    experts.router = linear(names.router, d_.d_model, described.count);
    if (described.correction)
      experts.correction = finder_.row(inside(layer, names.correction), described.count);
    if (described.shared_gate) experts.shared_gate = linear(names.shared_gate, d_.d_model, 1);
    for (Index expert = 0; expert < described.count; ++expert) {
      const auto name = [&](std::string of_expert) {
        replace_all(of_expert, "{}", std::to_string(expert));
        return of_expert;
      };
      experts.experts.push_back(
          gated(name(names.gate), name(names.up), name(names.down), described.d_mlp));
    }
    experts.chosen = described.chosen;
    experts.groups = described.groups;
    experts.chosen_groups = described.chosen_groups;
    experts.shares = described.shares;
    experts.normalised = described.normalised;
    experts.factor = described.factor;
    block.experts = std::move(experts);
  }

  Mlp mlp(Index layer) const {
    const auto linear = [&](const char* name, Index in, Index out) {
      return finder_.linear(inside(layer, name), in, out, d_.biases.mlp);
    };
    const bool other_up = d_.gated && names_.gated_up != nullptr;
    Mlp mlp;
    mlp.activation = d_.activation;
    if (names_.gate_up != nullptr) {
      const Linear both = linear(names_.gate_up, d_.d_model, 2 * sizes_.d_mlp);
      mlp.gate = columns(both, 0, sizes_.d_mlp);
      mlp.up = columns(both, sizes_.d_mlp, sizes_.d_mlp);
    } else {
      mlp.up = linear(other_up ? names_.gated_up : names_.up, d_.d_model, sizes_.d_mlp);
      if (d_.gated) mlp.gate = linear(names_.gate, d_.d_model, sizes_.d_mlp);
    }
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
  const ReadOutNames& names = finder.names().read_out;
  if (!d.biases.read_out) return {};
  std::string name = names.bias;
  if (!finder.has(name)) {
    if (names.bias_may_miss) return {};
    // What older checkpoints stored it as, even where nothing else was tied.
    const auto tie = std::ranges::find_if(finder.names().ties, [&](const TiedTensor& t) {
      return t.tensor != nullptr && name == t.tensor;
    });
    const std::string other = tie == finder.names().ties.end() ? "" : tie->source;
    const bool replaced = !other.empty() && finder.has(other);
    finder.add_note("tensor " + in_quotes(name) + " is missing: " +
                    (replaced ? in_quotes(other) + " is taken for it" : "it counts as zeros"));
    if (!replaced) return {};
    name = other;
  }
  return finder.row(name, d.vocabulary);
}

// True for an architecture that predicts tokens.
bool predicts_tokens(const std::string& architecture) {
  constexpr std::array kEndings = {
      "ForCausalLM",     "LMHeadModel", "ForMaskedLM", "ForPreTraining", "ForConditionalGeneration",
      "WithLMHeadModel", "MTModel"};
  return std::ranges::any_of(kEndings,
                             [&](const char* end) { return architecture.ends_with(end); });
}

// A model that was saved without its head has none; where its architecture has one, a note says so.
std::optional<ReadOut> read_out(TensorFinder& finder) {
  const Description& d = finder.description();
  const ReadOutNames& names = finder.names().read_out;
  const std::string tokens = names.tokens + std::string(".weight");
  const std::string transform = names.transform == nullptr ? "" : names.transform;
  const std::string& needed = transform.empty() ? tokens : transform + ".weight";
  if (!finder.has(needed)) {
    if (predicts_tokens(d.architecture))
      finder.add_note("tensor " + in_quotes(needed) +
                      " is missing: this network ends with its hidden states and predicts nothing");
    return std::nullopt;
  }
  ReadOut result;
  result.activation = d.read_out_activation;
  if (!transform.empty()) {
    result.transform =
        finder.linear(transform, d.d_model, d.d_embedding, d.biases.read_out_transform);
    result.norm = finder.norm(names.norm, d.d_embedding);
  } else if (d.d_embedding != d.d_model)
    result.projection =
        finder.linear(finder.with_prefix(names.projection), d.d_model, d.d_embedding, false);
  result.scale = d.read_out_scale;
  result.tokens.W = finder.matrix(tokens, d.vocabulary, d.d_embedding).transposed();
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
  network.read_out = read_out(finder);
  validate(network);
  built.notes = finder.notes();
  return built;
}

}  // namespace lab::files
