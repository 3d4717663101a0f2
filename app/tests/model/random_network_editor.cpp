#include "app/tests/model/random_network_editor.h"

#include <algorithm>
#include <utility>

namespace lab {

using attention::Index;
using attention::Matrix;
using attention::Shape;
using attention::SharedMatrix;
using attention::Stage;
using namespace attention::network;

namespace {

constexpr Index kLongestText = 10;
constexpr std::size_t kMostOfAKind = 3;  // so that they come and go

// The matrices of one part of a network, and where an edit of them begins to count.
struct Weights {
  LayerId at;
  bool final = false;  // counts after the last layer only
  std::vector<StoredMatrix*> matrices;
};

void add(Linear& linear, std::vector<StoredMatrix*>& to) {
  to.push_back(&linear.W);
  to.push_back(&linear.b);
}

void add(std::optional<Norm>& norm, std::vector<StoredMatrix*>& to) {
  if (!norm) return;
  to.push_back(&norm->weight);
  to.push_back(&norm->bias);
}

void add(SublayerNorms& norms, std::vector<StoredMatrix*>& to) {
  for (auto* norm : {&norms.before, &norms.branch, &norms.after}) add(*norm, to);
}

void add(Attention& attention, std::vector<StoredMatrix*>& to) {
  for (Linear& projection : attention.projections) add(projection, to);
  if (attention.latent) {
    CompressedRow& key_value = attention.latent->key_value;
    add(key_value.down, to);
    to.push_back(&key_value.norm.weight);
    if (attention.latent->query) add(attention.latent->query->down, to);
  }
  add(attention.query_norm, to);
  add(attention.key_norm, to);
  if (attention.distance_bias) to.push_back(&attention.distance_bias->table);
  if (attention.distance_scores) {
    attention::network::DistanceScores& scores = *attention.distance_scores;
    to.push_back(&scores.embedding);
    add(scores.norm, to);
    for (Linear* own : {&scores.key, &scores.query})
      if (!own->W.empty()) add(*own, to);
  }
  add(attention.output, to);
}

void add(ShortConvolution& convolution, std::vector<StoredMatrix*>& to) {
  add(convolution.in, to);
  to.push_back(&convolution.kernel);
  to.push_back(&convolution.bias);
  add(convolution.out, to);
}

void add(Block& block, std::vector<StoredMatrix*>& to) {
  if (block.convolution)
    add(*block.convolution, to);
  else
    add(block.attention, to);
  add(block.attention_norms, to);
  if (block.cross_attention) add(*block.cross_attention, to);
  add(block.cross_norms, to);
  if (block.mlp.gate) add(*block.mlp.gate, to);
  add(block.mlp.up, to);
  add(block.mlp.down, to);
  add(block.mlp_norms, to);
  if (block.input_gate) add(block.input_gate->gate, to);
  if (!block.added_convolution) return;
  for (StoredMatrix& tap : block.added_convolution->taps) to.push_back(&tap);
  to.push_back(&block.added_convolution->bias);
}

void add(Embedding& embedding, std::vector<StoredMatrix*>& to) {
  for (auto* table : {&embedding.tokens, &embedding.positions, &embedding.types})
    to.push_back(table);
  if (embedding.projection) add(*embedding.projection, to);
  if (embedding.layer_inputs) add(embedding.layer_inputs->projection, to);
  add(embedding.norm, to);
}

// Those of a stack, a part for the embedding, for each block and for the final norm.
void add(Stack& stack, Sublayer sublayer, std::vector<Weights>& to) {
  add(stack.embedding, to.emplace_back(Weights{{sublayer, 0}, false, {}}).matrices);
  for (std::size_t layer = 0; layer < stack.blocks.size(); ++layer)
    add(stack.blocks[layer],
        to.emplace_back(Weights{{sublayer, static_cast<Index>(layer)}, false, {}}).matrices);
  add(stack.final_norm, to.emplace_back(Weights{{sublayer, 0}, true, {}}).matrices);
}

template <typename Item, typename Same>
void put(std::vector<Item>& items, const Item& item, Same same) {
  std::erase_if(items, same);
  items.push_back(item);
}

}  // namespace

RandomNetworkEditor::RandomNetworkEditor(const Model& model, unsigned seed)
    : engine_(seed), vocabulary_(model.description.vocabulary), state_{model.network, {}, {}} {
  state_.tokens.ids = text(kLongestText / 2);
  if (model.network.encoder) state_.tokens.encoder_ids = text(kLongestText / 2);
}

std::uint32_t RandomNetworkEditor::token_id() {
  return static_cast<std::uint32_t>(below(vocabulary_));
}

std::vector<std::uint32_t> RandomNetworkEditor::text(Index length) {
  std::vector<std::uint32_t> ids(static_cast<std::size_t>(length));
  std::ranges::generate(ids, [&] { return token_id(); });
  return ids;
}

// What is new in an encoder is new in every layer that attends to it.
StackReport RandomNetworkEditor::from(const LayerId& at, Index row) const {
  if (at.sublayer == Sublayer::kEncoder) return {0, 0};
  const Block& first = state_.network.stack.blocks.front();
  const bool causal = first.convolution || first.attention.causal;
  return {at.layer, causal ? row : 0};
}

LayerId RandomNetworkEditor::place() {
  if (!state_.network.encoder) {
    const std::vector<Index> attending = attending_layers(state_.network, Sublayer::kSelf);
    return {Sublayer::kSelf, attending[static_cast<std::size_t>(below(std::ssize(attending)))]};
  }
  const auto encoder_layers = static_cast<Index>(state_.network.encoder->blocks.size());
  const Index which = below(3);
  if (which == 0) return {Sublayer::kEncoder, below(encoder_layers)};
  return {which == 1 ? Sublayer::kSelf : Sublayer::kCross, below(layers())};
}

Shape RandomNetworkEditor::shape_of(const LayerId& at, Stage stage) const {
  const ScoreShape scores =
      score_shape(at.sublayer, n(), static_cast<Index>(state_.tokens.encoder_ids.size()));
  return replaceable_shape(*find_attention(state_.network, at), stage, scores);
}

Matrix RandomNetworkEditor::numbers_of(const LayerId& at, Stage stage) {
  const Shape shape = shape_of(at, stage);
  Matrix numbers = Matrix::NullaryExpr(shape.rows, shape.cols, [&](Index) { return number(); });
  if (stage == Stage::kWeights) numbers = numbers.cwiseAbs() / static_cast<float>(shape.cols);
  return numbers;
}

StackReport RandomNetworkEditor::edit_gain() {
  auto& gains = state_.interventions.gains;
  const LayerId at = place();
  const HeadGain gain{at, below(find_attention(state_.network, at)->n_heads),
                      below(3) == 0 ? 0 : number()};
  if (std::ranges::find(gains, gain) != gains.end()) return nothing();
  if (gains.size() < kMostOfAKind) {
    put(gains, gain,
        [&](const HeadGain& other) { return other.at == at && other.head == gain.head; });
    return from(at, 0);
  }
  const HeadGain removed = gains.front();
  gains.erase(gains.begin());
  return from(removed.at, 0);
}

StackReport RandomNetworkEditor::edit_patch() {
  auto& patches = state_.interventions.patches;
  if (patches.size() >= kMostOfAKind - 1) {
    const LayerId at = patches.front().at;
    patches.erase(patches.begin());
    return from(at, 0);
  }
  const LayerId at = place();
  const Stage stage = below(2) == 0 ? Stage::kWeights : Stage::kHeadOutput;
  const HeadPatch patch{at, below(find_attention(state_.network, at)->n_heads), stage,
                        SharedMatrix(numbers_of(at, stage))};
  put(patches, patch, [&](const HeadPatch& other) {
    return other.at == at && other.head == patch.head && other.stage == stage;
  });
  return from(at, 0);
}

CellOverride RandomNetworkEditor::cell_override() {
  constexpr Stage kStages[] = {Stage::kX,
                               Stage::kXKv,
                               Stage::kQ,
                               Stage::kK,
                               Stage::kV,
                               Stage::kNormedQ,
                               Stage::kNormedK,
                               Stage::kNormedV,
                               Stage::kRotatedQ,
                               Stage::kRotatedK,
                               Stage::kScores,
                               Stage::kContentToPosition,
                               Stage::kPositionToContent,
                               Stage::kSummedScores,
                               Stage::kScaledScores,
                               Stage::kCappedScores,
                               Stage::kMaskedScores,
                               Stage::kWeights,
                               Stage::kDroppedWeights,
                               Stage::kHeadOutput,
                               Stage::kConcat,
                               Stage::kOutput};
  const LayerId at = place();
  Stage stage = kStages[below(std::ssize(kStages))];
  if (!refused_stage(stage, at.sublayer).empty()) stage = Stage::kX;
  const Attention& attention = *find_attention(state_.network, at);
  if (!refused_stage(attention, stage).empty() || shape_of(at, stage).rows == 0) stage = Stage::kX;
  const Shape shape = shape_of(at, stage);
  Index head = is_per_head(stage) ? below(attention.n_heads) : 0;
  if (is_per_kv_head(stage)) head -= head % (attention.n_heads / attention.n_kv_heads);
  return {at, {stage, head, below(shape.rows), below(shape.cols), number()}};
}

// Keys of cross-attention are rows of the encoder, and every query sees them.
StackReport RandomNetworkEditor::from(const CellOverride& override) const {
  const bool all = override.at.sublayer == Sublayer::kCross && has_key_rows(override.cell.stage);
  return from(override.at, all ? 0 : override.cell.row);
}

StackReport RandomNetworkEditor::edit_override() {
  auto& overrides = state_.interventions.overrides;
  CellOverride next = cell_override();
  const auto first = overrides.begin();
  if (overrides.size() >= kMostOfAKind) {
    next = *first;
    if (below(2) == 0) {
      overrides.erase(first);
    } else {
      first->cell.value = number();
    }
    return from(next);
  }
  put(overrides, next, [&](const CellOverride& other) {
    return other.at == next.at && other.cell.stage == next.cell.stage &&
           other.cell.head == next.cell.head && other.cell.row == next.cell.row &&
           other.cell.col == next.cell.col;
  });
  return from(next);
}

StreamOverride RandomNetworkEditor::stream_override() {
  const bool encoder = state_.network.encoder && below(2) == 0;
  const Stack& stack = encoder ? *state_.network.encoder : state_.network.stack;
  const auto rows =
      static_cast<Index>(encoder ? state_.tokens.encoder_ids.size() : state_.tokens.ids.size());
  const auto places = static_cast<Index>(stack.blocks.size()) + 1;
  return {{encoder ? Sublayer::kEncoder : Sublayer::kSelf, below(places)},
          below(rows),
          below(state_.network.d_model()),
          number()};
}

StackReport RandomNetworkEditor::edit_stream() {
  auto& stream = state_.interventions.stream;
  StreamOverride next = stream_override();
  if (stream.size() >= kMostOfAKind) {
    next = stream.front();
    stream.erase(stream.begin());
  } else {
    put(stream, next, [&](const StreamOverride& other) {
      return other.at == next.at && other.row == next.row && other.col == next.col;
    });
  }
  next.at.layer = std::max<Index>(0, next.at.layer - 1);  // the block that gives it
  return from(next.at, next.row);
}

StackReport RandomNetworkEditor::edit_id() {
  const bool encoder = state_.network.encoder && below(2) == 0;
  auto& ids = encoder ? state_.tokens.encoder_ids : state_.tokens.ids;
  const Index row = below(static_cast<Index>(ids.size()));
  std::uint32_t& id = ids[static_cast<std::size_t>(row)];
  const std::uint32_t before = std::exchange(id, token_id());
  if (id == before) return nothing();
  return from({encoder ? Sublayer::kEncoder : Sublayer::kSelf, 0}, row);
}

StackReport RandomNetworkEditor::edit_types() {
  const Index types = state_.network.stack.embedding.types.rows();
  if (types == 0) return edit_id();
  const std::vector<std::uint32_t> before = state_.tokens.types;
  state_.tokens.types.resize(state_.tokens.ids.size());
  const auto at = static_cast<std::size_t>(below(n()));
  state_.tokens.types[at] = static_cast<std::uint32_t>(below(types));
  return state_.tokens.types == before ? nothing() : StackReport{0, 0};
}

// Interventions are about rows that may not be there any more.
StackReport RandomNetworkEditor::edit_length() {
  state_.interventions = {};
  state_.tokens.types.clear();
  state_.tokens.ids = text(1 + (n() + below(kLongestText - 1)) % kLongestText);
  if (state_.network.encoder) state_.tokens.encoder_ids = text(1 + below(kLongestText));
  return {0, 0};
}

StackReport RandomNetworkEditor::edit_weight() {
  std::vector<Weights> parts;
  add(state_.network.stack, Sublayer::kSelf, parts);
  if (state_.network.encoder) add(*state_.network.encoder, Sublayer::kEncoder, parts);
  Weights& part = parts[static_cast<std::size_t>(below(static_cast<Index>(parts.size())))];
  std::erase_if(part.matrices, [](const StoredMatrix* matrix) { return matrix->empty(); });
  if (part.matrices.empty()) return nothing();
  StoredMatrix& matrix =
      *part.matrices[static_cast<std::size_t>(below(static_cast<Index>(part.matrices.size())))];
  Matrix values = matrix.values();
  values(below(values.rows()), below(values.cols())) = 0.5f * number();
  matrix = StoredMatrix(SharedMatrix(std::move(values)));
  if (part.final && part.at.sublayer == Sublayer::kSelf) return nothing();
  return from(part.at, 0);
}

StackReport RandomNetworkEditor::edit() {
  switch (below(40)) {
    case 0:
      return edit_length();
    case 1:
      return nothing();
    case 2:
    case 3:
      return edit_types();
    default:
      break;
  }
  switch (below(6)) {
    case 0:
      return edit_gain();
    case 1:
      return edit_patch();
    case 2:
      return edit_override();
    case 3:
      return edit_stream();
    case 4:
      return edit_id();
    default:
      return edit_weight();
  }
}

bool RandomNetworkEditor::sees_ahead() const {
  const auto ahead = [](const CellOverride& override) {
    const Stage stage = override.cell.stage;
    return override.at.sublayer == Sublayer::kSelf && override.cell.col > override.cell.row &&
           (stage == Stage::kMaskedScores || stage == Stage::kWeights ||
            stage == Stage::kDroppedWeights);
  };
  const auto patched = [](const HeadPatch& patch) {
    return patch.at.sublayer == Sublayer::kSelf && patch.stage == Stage::kWeights;
  };
  return std::ranges::any_of(state_.interventions.overrides, ahead) ||
         std::ranges::any_of(state_.interventions.patches, patched);
}

}  // namespace lab
