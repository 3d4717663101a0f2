#include "core/network/interventions.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>

#include "core/matrix.h"
#include "core/network/latent_input.h"

namespace attention::network {
namespace {

std::string name_of(const LayerId& at, Index head) {
  const char* const part = at.sublayer == Sublayer::kCross     ? " of the cross-attention"
                           : at.sublayer == Sublayer::kEncoder ? " of the encoder"
                                                               : "";
  return "L" + std::to_string(at.layer) + "H" + std::to_string(head) + part;
}

void require(bool right, const std::string& problem) {
  if (!right) throw std::invalid_argument(problem);
}

// The order of interventions must not matter.
template <typename Item, typename KeyOf>
void require_once(const char* what, const std::vector<Item>& items, KeyOf key_of) {
  std::set<std::invoke_result_t<KeyOf, const Item&>> known_keys;
  for (const Item& item : items)
    require(known_keys.insert(key_of(item)).second, "there are two " + std::string(what));
}

// Checks one kind of intervention after the other.
class Validator {
 public:
  Validator(const Network& network, Index n, Index encoder_n)
      : network_(network), n_(n), encoder_n_(encoder_n) {}

  void check(const HeadGain& gain) const { attention_at(gain.at, gain.head); }

  void check(const HeadPatch& patch) const {
    require(patch.stage == Stage::kWeights || patch.stage == Stage::kHeadOutput,
            name_of(patch.at, patch.head) + ": only its weights or its output can be patched");
    const Shape shape = shape_of(patch.at, patch.head, patch.stage);
    const Shape given = patch.values.shape();
    require(given == shape, name_of(patch.at, patch.head) + ": the patch is " +
                                shape_text(given.rows, given.cols) + ", should be " +
                                shape_text(shape.rows, shape.cols));
  }

  void check(const CellOverride& override) const {
    const Override& cell = override.cell;
    std::string refused = refused_stage(attention_at(override.at, cell.head), cell.stage);
    if (refused.empty()) refused = refused_stage(cell.stage, override.at.sublayer);
    require(refused.empty(), name_of(override.at, cell.head) + ": " +
                                 std::string(stage_name(cell.stage)) + " " + refused);
    require_cell(name_of(override.at, cell.head), cell.row, cell.col,
                 shape_of(override.at, cell.head, cell.stage));
    require_named_head(override);
  }

  void check(const StreamOverride& override) const {
    const bool encoder = override.at.sublayer == Sublayer::kEncoder;
    require(override.at.sublayer != Sublayer::kCross && (!encoder || network_.encoder),
            "there is no such residual stream");
    const Stack& stack = encoder ? *network_.encoder : network_.stack;
    const std::string name = "the stream before layer " + std::to_string(override.at.layer);
    require(override.at.layer >= 0 && override.at.layer <= static_cast<Index>(stack.blocks.size()),
            "there is no layer " + std::to_string(override.at.layer));
    require_cell(name, override.row, override.col, {encoder ? encoder_n_ : n_, network_.d_model()});
  }

 private:
  const Attention& attention_at(const LayerId& at, Index head) const {
    const Attention* attention = find_attention(network_, at);
    require(attention != nullptr || !is_convolution(network_, at), missing_attention(network_, at));
    require(attention != nullptr && head >= 0 && head < attention->n_heads,
            "there is no head " + name_of(at, head));
    return *attention;
  }

  Shape shape_of(const LayerId& at, Index head, Stage stage) const {
    return replaceable_shape(attention_at(at, head), stage,
                             score_shape(at.sublayer, n_, encoder_n_));
  }

  // Numbers that heads share are named by the first of them.
  void require_named_head(const CellOverride& override) const {
    const Override& cell = override.cell;
    const Attention& attention = attention_at(override.at, cell.head);
    const Index sharing = !is_per_head(cell.stage)     ? attention.n_heads
                          : is_per_kv_head(cell.stage) ? attention.n_heads / attention.n_kv_heads
                                                       : 1;
    const Index first = cell.head / sharing * sharing;
    require(cell.head == first, std::string(stage_name(cell.stage)) + " is not of " +
                                    name_of(override.at, cell.head) +
                                    " alone: it is overridden in " + name_of(override.at, first));
  }

  static void require_cell(const std::string& name, Index row, Index col, const Shape& shape) {
    require(row >= 0 && row < shape.rows && col >= 0 && col < shape.cols,
            name + ": there is no cell " + std::to_string(row) + ", " + std::to_string(col) +
                "; it is " + shape_text(shape.rows, shape.cols));
  }

  const Network& network_;
  Index n_, encoder_n_;
};

// The block at `at`, whatever its sublayer is; null when there is none.
const Block* find_block(const Network& network, const LayerId& at) {
  const Stack* stack = &network.stack;
  if (at.sublayer == Sublayer::kEncoder) stack = network.encoder ? &*network.encoder : nullptr;
  if (stack == nullptr || at.layer < 0 || at.layer >= std::ssize(stack->blocks)) return nullptr;
  return &stack->blocks[static_cast<std::size_t>(at.layer)];
}

// Of a network that may be const.
template <typename NetworkLike>
auto attention_in(NetworkLike& network, const LayerId& at)
    -> decltype(&network.stack.blocks.front().attention) {
  auto* stack = &network.stack;
  if (at.sublayer == Sublayer::kEncoder) stack = network.encoder ? &*network.encoder : nullptr;
  if (stack == nullptr || at.layer < 0 || at.layer >= static_cast<Index>(stack->blocks.size()))
    return nullptr;
  auto& block = stack->blocks[static_cast<std::size_t>(at.layer)];
  if (at.sublayer != Sublayer::kCross) return block.convolution ? nullptr : &block.attention;
  return block.cross_attention ? &*block.cross_attention : nullptr;
}

}  // namespace

std::string refused_stage(Stage stage, Sublayer sublayer) {
  const std::string refused = "cannot be overridden in a layer of a model: ";
  switch (stage) {
    case Stage::kEmbedding:
    case Stage::kPosition:
      return refused + "it reads the residual stream, normalised, which is X";
    case Stage::kEmbeddingKv:
    case Stage::kPositionKv:
      return refused + "cross-attention reads the encoder's output, which is X_kv";
    case Stage::kXKv:
      return sublayer == Sublayer::kCross ? "" : refused + "keys and values are computed from X";
    case Stage::kResidual:
    case Stage::kLayerNorm:
      return refused +
             "what is added to output and normalised is the residual stream, not X; "
             "override output";
    default:
      return {};
  }
}

std::string refused_stage(const Attention& attention, Stage stage) {
  if (!attention.key_layer || !has_key_rows(stage)) return {};
  const std::string layer = "layer " + std::to_string(*attention.key_layer);
  return "cannot be overridden here: keys and values are those of " + layer +
         "; override them there";
}

float head_gain(const Interventions& interventions, const LayerId& at, Index head) {
  const bool any_solo = std::ranges::any_of(
      interventions.gains, [&](const HeadGain& gain) { return gain.at == at && gain.solo; });
  const HeadMix mix = head_mix(interventions, at, head);
  return mix.mute || (any_solo && !mix.solo) ? 0 : mix.scale;
}

HeadMix head_mix(const Interventions& interventions, const LayerId& at, Index head) {
  for (const HeadGain& gain : interventions.gains)
    if (gain.at == at && gain.head == head) return {gain.mute, gain.solo, gain.gain};
  return {};
}

std::vector<HeadMix> layer_mix(const Interventions& interventions, const LayerId& at,
                               Index n_heads) {
  std::vector<HeadMix> mix;
  for (const HeadGain& gain : interventions.gains) {
    if (gain.at != at) continue;
    mix.resize(static_cast<std::size_t>(n_heads));
    mix[static_cast<std::size_t>(gain.head)] = {gain.mute, gain.solo, gain.gain};
  }
  return mix;
}

void set_layer_mix(const std::vector<HeadMix>& mix, const LayerId& at,
                   Interventions& interventions) {
  std::erase_if(interventions.gains, [&](const HeadGain& gain) { return gain.at == at; });
  for (std::size_t head = 0; head < mix.size(); ++head) {
    const auto& [mute, solo, scale] = mix[head];
    if (mix[head] == HeadMix{}) continue;
    interventions.gains.push_back({at, static_cast<Index>(head), scale, mute, solo});
  }
}

Index layer_count(const Network& network, Sublayer sublayer) {
  const Block* const first = find_block(network, {sublayer, 0});
  const bool there =
      first != nullptr && (sublayer != Sublayer::kCross || first->cross_attention.has_value());
  if (!there) return 0;
  return std::ssize((sublayer == Sublayer::kEncoder ? *network.encoder : network.stack).blocks);
}

std::vector<Index> attending_layers(const Network& network, Sublayer sublayer) {
  std::vector<Index> layers;
  for (Index layer = 0; layer < layer_count(network, sublayer); ++layer)
    if (find_attention(network, {sublayer, layer}) != nullptr) layers.push_back(layer);
  return layers;
}

Index head_count(const Network& network, Sublayer sublayer) {
  const std::vector<Index> layers = attending_layers(network, sublayer);
  return layers.empty() ? 0 : find_attention(network, {sublayer, layers.front()})->n_heads;
}

bool is_convolution(const Network& network, const LayerId& at) {
  const Block* const block = find_block(network, at);
  return block != nullptr && at.sublayer != Sublayer::kCross && block->convolution;
}

std::string missing_attention(const Network& network, const LayerId& at) {
  const std::string layer = "layer " + std::to_string(at.layer);
  return is_convolution(network, at)
             ? layer + " is a convolution: it has no attention, and so no heads"
             : "there is no " + layer;
}

const Attention* find_attention(const Network& network, const LayerId& at) {
  return attention_in(network, at);
}

Attention* find_attention(Network& network, const LayerId& at) { return attention_in(network, at); }

ScoreShape score_shape(Sublayer sublayer, Index n, Index encoder_n) {
  return {sublayer == Sublayer::kEncoder ? encoder_n : n,
          sublayer == Sublayer::kSelf ? n : encoder_n};
}

Shape replaceable_shape(const Attention& attention, Stage stage, const ScoreShape& scores) {
  const Index rows = has_key_rows(stage) ? scores.keys : scores.queries;
  switch (stage) {
    case Stage::kX:
      return {rows, input_width(attention)};
    case Stage::kXKv:
      return {rows, attention.projections[attention.key.projection].W.rows()};
    case Stage::kContentToPosition:
    case Stage::kPositionToContent: {
      const std::optional<DistanceScores>& by_distance = attention.distance_scores;
      const bool there =
          by_distance && (stage == Stage::kContentToPosition ? by_distance->content_to_position
                                                             : by_distance->position_to_content);
      return there ? Shape{rows, scores.keys} : Shape{};
    }
    case Stage::kScores:
    case Stage::kSummedScores:
    case Stage::kScaledScores:
    case Stage::kCappedScores:
    case Stage::kMaskedScores:
    case Stage::kWeights:
    case Stage::kDroppedWeights:
      return {rows, scores.keys};
    case Stage::kConcat:
      return {rows, attention.n_heads * attention.d_v()};
    case Stage::kV:
    case Stage::kNormedV:
    case Stage::kHeadOutput:
      return {rows, attention.d_v()};
    case Stage::kOutput:
      return {rows, attention.output.W.cols()};
    default:
      return {rows, attention.head_dim};
  }
}

void validate(const Interventions& interventions, const Network& network, Index n,
              Index encoder_n) {
  require_once("gains of a head", interventions.gains,
               [](const HeadGain& g) { return std::tuple(g.at.sublayer, g.at.layer, g.head); });
  require_once("patches of a head", interventions.patches, [](const HeadPatch& p) {
    return std::tuple(p.at.sublayer, p.at.layer, p.head, p.stage);
  });
  require_once("overrides of a cell", interventions.overrides, [](const CellOverride& o) {
    return std::tuple(o.at.sublayer, o.at.layer, o.cell.stage, o.cell.head, o.cell.row, o.cell.col);
  });
  require_once(
      "overrides of a number of the stream", interventions.stream,
      [](const StreamOverride& o) { return std::tuple(o.at.sublayer, o.at.layer, o.row, o.col); });
  const Validator validator(network, n, encoder_n);
  for (const auto& gain : interventions.gains) validator.check(gain);
  for (const auto& patch : interventions.patches) validator.check(patch);
  for (const auto& override : interventions.overrides) validator.check(override);
  for (const auto& override : interventions.stream) validator.check(override);
}

}  // namespace attention::network
