#include "core/network/network.h"

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/matrix.h"

namespace attention::network {
namespace {

[[noreturn]] void refuse(const std::string& component, const std::string& problem) {
  throw std::invalid_argument(component + ": " + problem);
}

void require_shape(const std::string& component, const StoredMatrix& matrix, Index rows,
                   Index cols) {
  if (matrix.rows() == rows && matrix.cols() == cols) return;
  refuse(component,
         shape_text(matrix.rows(), matrix.cols()) + ", should be " + shape_text(rows, cols));
}

void require_row(const std::string& component, const StoredMatrix& row, Index cols) {
  if (!row.empty()) require_shape(component, row, 1, cols);
}

void validate(const std::string& component, const Linear& linear, Index in, Index out) {
  require_shape(component, linear.W, in, out);
  require_row(component + " bias", linear.b, out);
}

void validate(const std::string& component, const std::optional<Norm>& norm, Index d) {
  if (!norm) return;
  require_row(component + " weight", norm->weight, d);
  require_row(component + " bias", norm->bias, d);
}

void validate(const std::string& component, const SublayerNorms& norms, Index d) {
  validate(component + ", norm before it", norms.before, d);
  validate(component + ", norm of it", norms.branch, d);
  validate(component + ", norm after it", norms.after, d);
}

void validate_columns(const std::string& component, const Attention& attention,
                      const HeadColumns& columns, Index heads, Index features) {
  if (columns.projection >= attention.projections.size()) refuse(component, "has no projection");
  const Index last = columns.of_head(heads - 1) + features;
  const Index width = attention.projections[columns.projection].W.cols();
  if (columns.first < 0 || columns.step < 0 || columns.group_step < 0 || last > width)
    refuse(component, "needs " + std::to_string(last) + " columns of a projection that has " +
                          std::to_string(width));
}

void validate_positions(const std::string& component, const Attention& attention) {
  if (attention.rotary &&
      (attention.rotary->first < 0 ||
       attention.rotary->first + 2 * static_cast<Index>(attention.rotary->frequencies.size()) >
           attention.head_dim))
    refuse(component, "more features are rotated than a head has");
  if (!attention.distance_bias) return;
  const StoredMatrix& table = attention.distance_bias->table;
  require_shape(component + ", bias of distances", table, table.rows(), attention.n_heads);
  if (table.rows() < 4) refuse(component, "fewer than 4 buckets of distances");
  const Index exact = table.rows() / (attention.distance_bias->both_ways ? 4 : 2);
  if (attention.distance_bias->largest_distance <= exact)
    refuse(component, "the largest distance should be above " + std::to_string(exact) +
                          ", which have buckets of their own");
}

void validate_value_norm(const std::string& component, const Attention& attention) {
  if (!attention.value_norm) return;
  const Norm& norm = *attention.value_norm;
  if (norm.type != NormType::kRms || !norm.weight.empty() || !norm.bias.empty())
    refuse(component + ", norm of V", "only by the root mean square, without weights");
}

void validate_distance_scores(const std::string& component, const Attention& attention,
                              Index d_model) {
  if (!attention.distance_scores) return;
  const DistanceScores& scores = *attention.distance_scores;
  const Index rows = scores.embedding.rows(), width = attention.n_heads * attention.head_dim;
  require_shape(component + ", embedding", scores.embedding, rows, d_model);
  validate(component + ", norm", scores.norm, d_model);
  if (rows < 2 || rows % 2 != 0)
    refuse(component, "the embedding should have as many rows ahead as behind");
  const bool bucketed = scores.buckets > 0;
  if (bucketed && (scores.buckets < 2 || scores.largest_distance - 1 == scores.buckets / 2))
    refuse(component, "no bucket is left for far distances");
  if (attention.latent || attention.key_layer || attention.n_kv_heads != attention.n_heads)
    refuse(component, "each head should have its own keys");
  if (scores.shared) return;
  if (scores.content_to_position) validate(component + ", keys", scores.key, d_model, width);
  if (scores.position_to_content) validate(component + ", queries", scores.query, d_model, width);
}

void validate_head_norms(const std::string& component, const Attention& attention) {
  const bool joint = attention.norms_of_all_heads;
  const auto check = [&](const std::string& name, const std::optional<Norm>& norm, Index heads) {
    validate(component + name, norm, (joint ? heads : 1) * attention.head_dim);
    if (joint && norm && (norm->type != NormType::kRms || !norm->bias.empty()))
      refuse(component + name, "all heads are normalised together by their root mean square only");
  };
  check(", norm of Q", attention.query_norm, attention.n_heads);
  check(", norm of K", attention.key_norm, attention.n_kv_heads);
}

void validate(const std::string& component, const CompressedRow& row, Index d_model) {
  const Index width = row.down.W.cols();
  validate(component, row.down, d_model, width);
  if (row.rank < 1 || row.rank > width)
    refuse(component, "a rank of " + std::to_string(row.rank) + ", there are " +
                          std::to_string(width) + " features");
  validate(component + ", norm", std::optional(row.norm), row.rank);
}

// The features that projection `p` should read in latent attention: those of a compressed row, or
// of the sublayer's input.
Index features_to_read(const Attention& attention, std::size_t p, Index d_model) {
  const auto& [query, key_value] = *attention.latent;
  if (p != attention.query.projection) return key_value.rank;
  return query ? query->rank : d_model;
}

// The rows that the projections read in latent attention.
void validate_latent(const std::string& component, const Attention& attention, Index d_model) {
  const auto& [query, key_value] = *attention.latent;
  if (query) validate(component + ", compressed queries", *query, d_model);
  validate(component + ", compressed keys and values", key_value, d_model);
  if (attention.shared_key_features() >= attention.head_dim)
    refuse(component, "nothing is left of a key beside its rotary part");
  if (attention.query.projection == attention.key.projection ||
      attention.query.projection == attention.value.projection)
    refuse(component, "queries, and keys and values, are computed from different rows");
  if (attention.query_norm || attention.key_norm)
    refuse(component, "no norms of queries and keys with compressed rows");
}

void validate_keys(const std::string& component, const Attention& attention) {
  validate_columns(component + ", K", attention, attention.key, attention.n_kv_heads,
                   attention.projected_key_features());
  validate_columns(component + ", V", attention, attention.value, attention.n_kv_heads,
                   attention.d_v());
}

void validate(const std::string& component, const Attention& attention, Index d_model) {
  if (attention.n_heads < 1 || attention.n_kv_heads < 1 || attention.head_dim < 1 ||
      attention.n_heads % attention.n_kv_heads != 0)
    refuse(component, std::to_string(attention.n_heads) + " heads cannot share " +
                          std::to_string(attention.n_kv_heads) + " key and value heads");
  if (attention.latent) validate_latent(component, attention, d_model);
  for (std::size_t p = 0; p < attention.projections.size(); ++p) {
    const Linear& projection = attention.projections[p];
    const Index in = attention.latent ? features_to_read(attention, p, d_model) : d_model;
    validate(component + ", projection", projection, in, projection.W.cols());
  }
  validate_columns(component + ", Q", attention, attention.query, attention.n_heads,
                   attention.head_dim);
  if (!attention.key_layer) validate_keys(component, attention);
  validate_head_norms(component, attention);
  validate_value_norm(component, attention);
  validate_positions(component, attention);
  validate_distance_scores(component + ", scores by distance", attention, d_model);
  require_row(component + ", sinks", attention.sinks, attention.n_heads);
  validate(component + ", output", attention.output, attention.n_heads * attention.d_v(), d_model);
}

// What a layer that uses keys and values of another one, `source`, must have in common with it.
void validate_key_layer(const std::string& component, const Attention& attention,
                        const Attention& source) {
  if (source.key_layer)
    refuse(component, "the layer whose keys and values it uses has none of its own");
  if (source.latent || attention.latent)
    refuse(component, "compressed rows cannot be used by other layers");
  if (attention.projections.size() != 1 || attention.key_norm || attention.value_norm ||
      attention.norms_of_all_heads || source.norms_of_all_heads)
    refuse(component, "keys and values are those of another layer: only queries are projected");
  if (attention.n_kv_heads != source.n_kv_heads || attention.head_dim != source.head_dim ||
      attention.d_v() != source.d_v())
    refuse(component, "heads have another size than in the layer whose keys and values are used");
  if (!(attention.rotary == source.rotary))
    refuse(component, "positions are another's than in the layer whose keys and values are used");
}

void validate(const std::string& component, const ShortConvolution& convolution, Index d_model) {
  const Index width = convolution.width(), taps = convolution.taps();
  if (width < 1 || taps < 1) refuse(component, "has no kernel");
  validate(component + ", input", convolution.in, d_model, 3 * width);
  require_row(component + ", bias", convolution.bias, width);
  validate(component + ", output", convolution.out, width, d_model);
}

void validate(const std::string& component, const Mlp& mlp, Index d_model) {
  const Index width = mlp.up.W.cols();
  validate(component + ", up", mlp.up, d_model, width);
  if (mlp.gate) validate(component + ", gate", *mlp.gate, d_model, width);
  if (mlp.clamped && !mlp.gate) refuse(component, "a clamped gate, and there is no gate");
  validate(component + ", down", mlp.down, width, d_model);
}

void validate(const std::string& component, const Experts& experts, Index d_model) {
  const Index count = std::ssize(experts.experts);
  validate(component + ", router", experts.router, d_model, count);
  if (!experts.correction.empty())
    require_shape(component + ", correction", experts.correction, 1, count);
  if (experts.shared_gate) validate(component + ", gate", *experts.shared_gate, d_model, 1);
  for (const Mlp& mlp : experts.experts) validate(component, mlp, d_model);
  if (!experts.scales.empty()) require_shape(component + ", scales", experts.scales, 1, count);
  if (experts.norms)
    for (const Norm* norm : {&experts.norms->router, &experts.norms->before, &experts.norms->after,
                             &experts.norms->beside})
      validate(component + ", norm", std::optional(*norm), d_model);
  const bool groups = experts.groups > 0 && count % experts.groups == 0 &&
                      experts.chosen_groups > 0 && experts.chosen_groups <= experts.groups;
  if (!groups)
    refuse(component,
           std::to_string(experts.groups) + " groups of " + std::to_string(count) + " experts");
  if (experts.chosen < 1 || experts.chosen > experts.chosen_groups * (count / experts.groups))
    refuse(component,
           std::to_string(experts.chosen) + " of " + std::to_string(count) + " cannot be chosen");
}

void validate(const std::string& component, const AddedConvolution& convolution, Index d_model) {
  const Index groups = convolution.groups;
  if (convolution.taps.size() % 2 == 0) refuse(component, "the number of taps is even");
  if (groups < 1 || d_model % groups != 0)
    refuse(component,
           std::to_string(groups) + " groups of " + std::to_string(d_model) + " features");
  for (const StoredMatrix& tap : convolution.taps)
    require_shape(component, tap, d_model / groups, d_model);
  require_row(component + ", bias", convolution.bias, d_model);
  validate(component + ", norm", std::optional(convolution.norm), d_model);
}

void validate(const std::string& component, const Block& block, bool encoder, Index d_model) {
  if (block.added_convolution) {
    if (block.convolution || block.attention.causal)
      refuse(component, "an added convolution, which reads later tokens");
    validate(component + ", added convolution", *block.added_convolution, d_model);
  }
  if (block.convolution) {
    if (block.parallel || block.cross_attention)
      refuse(component, "a convolution stands neither beside an MLP nor before cross-attention");
    validate(component + ", convolution", *block.convolution, d_model);
  } else {
    validate(component + ", attention", block.attention, d_model);
  }
  validate(component + ", attention", block.attention_norms, d_model);
  if (block.cross_attention) {
    if (!encoder) refuse(component, "attends to an encoder, and there is none");
    validate(component + ", cross-attention", *block.cross_attention, d_model);
    validate(component + ", cross-attention", block.cross_norms, d_model);
  }
  if (!block.mlp.absent()) validate(component + ", MLP", block.mlp, d_model);
  if (block.experts) validate(component + ", experts", *block.experts, d_model);
  validate(component + ", MLP", block.mlp_norms, d_model);
  const bool finished = block.input_gate || block.factor != 1;
  if (finished && (block.parallel || block.cross_attention || block.added_convolution))
    refuse(component,
           "what follows the MLP of a parallel block, or of one with cross-attention or an added "
           "convolution, is not supported");
}

void validate(const std::string& component, const InputGate& gate, Index width, Index d_model) {
  validate(component + ", gate", gate.gate, d_model, width);
  validate(component + ", projection", gate.projection, width, d_model);
  validate(component + ", norm", std::optional(gate.norm), d_model);
}

void validate(const std::string& component, const LayerInputs& inputs, Index vocabulary,
              Index layers, Index d_model) {
  if (layers < 1 || inputs.layers != layers || inputs.tokens.cols() % layers != 0)
    refuse(component, std::to_string(inputs.tokens.cols()) + " features for " +
                          std::to_string(layers) + " layers");
  if (inputs.tokens.rows() < vocabulary)
    refuse(component, std::to_string(inputs.tokens.rows()) + " tokens, should be " +
                          std::to_string(vocabulary));
  validate(component + ", projection", inputs.projection, d_model, inputs.tokens.cols());
  validate(component + ", norm", std::optional(inputs.norm), inputs.width());
}

// What the layers have of the embedding, and of each other.
void validate_links(const std::string& component, const Stack& stack, Index layer, Index d_model) {
  const Block& block = stack.blocks[static_cast<std::size_t>(layer)];
  const std::optional<LayerInputs>& inputs = stack.embedding.layer_inputs;
  if (block.input_gate && !inputs) refuse(component, "the embedding gives nothing to its gate");
  if (block.input_gate)
    validate(component + ", gate of inputs", *block.input_gate, inputs->width(), d_model);
  if (!block.attention.key_layer) return;
  const Index source = *block.attention.key_layer;
  if (source < 0 || source >= layer || block.cross_attention)
    refuse(component,
           "the keys and values of layer " + std::to_string(source) + " cannot be used here");
  validate_key_layer(component, block.attention,
                     stack.blocks[static_cast<std::size_t>(source)].attention);
}

void validate(const std::string& component, const Embedding& embedding, Index d_model) {
  const Index width = embedding.tokens.cols();
  if (embedding.tokens.empty()) refuse(component, "no embedding of tokens");
  if (embedding.projection)
    validate(component + ", projection of embeddings", *embedding.projection, width, d_model);
  if (!embedding.projection && width != d_model)
    refuse(component, "embeddings of " + std::to_string(width) + " features in a stream of " +
                          std::to_string(d_model));
  if (!embedding.positions.empty())
    require_shape(component + ", positions", embedding.positions, embedding.positions.rows(),
                  embedding.width());
  if (embedding.padding && embedding.position_offset < 1)
    refuse(component, "no row of positions is left for padding");
  if (!embedding.types.empty())
    require_shape(component + ", token types", embedding.types, embedding.types.rows(),
                  embedding.width());
  validate(component + ", norm of embeddings", embedding.norm,
           embedding.normed_last ? d_model : embedding.width());
}

void validate(const std::string& name, const Stack& stack, bool encoder, Index d_model) {
  validate(name, stack.embedding, d_model);
  for (std::size_t layer = 0; layer < stack.blocks.size(); ++layer)
    validate(name + ", layer " + std::to_string(layer), stack.blocks[layer], encoder, d_model);
  if (stack.embedding.layer_inputs)
    validate(name + ", inputs of layers", *stack.embedding.layer_inputs,
             stack.embedding.tokens.rows(), std::ssize(stack.blocks), d_model);
  for (Index layer = 0; layer < std::ssize(stack.blocks); ++layer)
    validate_links(name + ", layer " + std::to_string(layer), stack, layer, d_model);
  validate(name + ", final norm", stack.final_norm, d_model);
}

void validate(const ReadOut& read_out, Index d_model) {
  Index width = d_model;
  const auto narrow = [&](const char* name, const std::optional<Linear>& map) {
    if (!map) return;
    validate(name, *map, width, map->W.cols());
    width = map->W.cols();
  };
  narrow("read-out, transform", read_out.transform);
  validate("read-out, norm", read_out.norm, width);
  narrow("read-out, projection", read_out.projection);
  validate("read-out", read_out.tokens, width, read_out.tokens.W.cols());
}

}  // namespace

Index Network::d_model() const {
  return stack.embedding.projection ? stack.embedding.projection->W.cols()
                                    : stack.embedding.tokens.cols();
}

void validate(const Network& network) {
  const Index d_model = network.d_model();
  if (network.encoder) validate("encoder", *network.encoder, false, d_model);
  validate(network.encoder ? "decoder" : "network", network.stack, network.encoder.has_value(),
           d_model);
  if (network.read_out) validate(*network.read_out, d_model);
}

namespace {

// Calls visit(matrix) with every matrix that an adapter may change: those of linear maps and
// tables of embeddings.
template <typename Visit>
class Adaptable {
 public:
  explicit Adaptable(Visit visit) : visit_(std::move(visit)) {}

  void operator()(Network& network) {
    (*this)(network.stack);
    if (network.encoder) (*this)(*network.encoder);
    if (!network.read_out) return;
    (*this)(network.read_out->transform);
    (*this)(network.read_out->projection);
    visit_(network.read_out->tokens.W);
  }

 private:
  void operator()(Linear& linear) { visit_(linear.W); }
  void operator()(std::optional<Linear>& linear) {
    if (linear) visit_(linear->W);
  }
  void operator()(Stack& stack) {
    for (StoredMatrix* table :
         {&stack.embedding.tokens, &stack.embedding.positions, &stack.embedding.types})
      visit_(*table);
    (*this)(stack.embedding.projection);
    if (auto& inputs = stack.embedding.layer_inputs) {
      visit_(inputs->tokens);
      (*this)(inputs->projection);
    }
    for (Block& block : stack.blocks) (*this)(block);
  }
  void operator()(Block& block) {
    (*this)(block.attention);
    if (block.convolution) {
      (*this)(block.convolution->in);
      (*this)(block.convolution->out);
    }
    if (block.cross_attention) (*this)(*block.cross_attention);
    (*this)(block.mlp);
    if (block.input_gate) {
      (*this)(block.input_gate->gate);
      (*this)(block.input_gate->projection);
    }
    if (!block.experts) return;
    (*this)(block.experts->router);
    for (Mlp& expert : block.experts->experts) (*this)(expert);
    (*this)(block.experts->shared_gate);
  }
  void operator()(Attention& attention) {
    for (Linear& projection : attention.projections) (*this)(projection);
    (*this)(attention.output);
    if (attention.distance_bias) visit_(attention.distance_bias->table);
    if (auto& scores = attention.distance_scores) {
      visit_(scores->embedding);
      (*this)(scores->key);
      (*this)(scores->query);
    }
    if (!attention.latent) return;
    if (attention.latent->query) (*this)(attention.latent->query->down);
    (*this)(attention.latent->key_value.down);
  }
  void operator()(Mlp& mlp) {
    (*this)(mlp.gate);
    (*this)(mlp.up);
    (*this)(mlp.down);
  }

  Visit visit_;
};

}  // namespace

Network with_adapter_gain(const Network& network, float gain) {
  std::map<const ComputedRows*, std::shared_ptr<const ComputedRows>> made;
  Network result = network;
  Adaptable([&](StoredMatrix& matrix) {
    const ComputedRows* const rows = matrix.computed();
    if (rows == nullptr) return;
    const auto [at, is_new] = made.try_emplace(rows);
    if (is_new) at->second = rows->with_adapter_gain(gain);
    if (at->second) matrix = matrix.of_rows(at->second);
  })(result);
  return result;
}

}  // namespace attention::network
