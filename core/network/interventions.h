#pragma once

#include <string>
#include <vector>

#include "core/network/network.h"
#include "core/problem.h"

namespace attention::network {

/// The attention sublayers of a network.
enum class Sublayer {
  kSelf,     ///< of the only stack, or of the decoder
  kCross,    ///< of the decoder, to the encoder's output
  kEncoder,  ///< of the encoder
};

/// One attention sublayer.
struct LayerId {
  Sublayer sublayer = Sublayer::kSelf;
  Index layer = 0;  ///< from 0
  bool operator==(const LayerId&) const = default;
};

/// How much of the output of a head reaches W_O, as HeadMix says it of a Problem.
struct HeadGain {
  LayerId at;
  Index head = 0;     ///< from 0
  float gain = 0;     ///< multiplies it; 0 mutes it
  bool mute = false;  ///< none of it, whatever the gain is
  bool solo = false;  ///< none of the heads of this sublayer that are not solo
  bool operator==(const HeadGain& other) const {
    return at == other.at && head == other.head && same_bits(gain, other.gain) &&
           mute == other.mute && solo == other.solo;
  }
};

/// A number that replaces one of a sublayer, before what follows is computed from it.
struct CellOverride {
  LayerId at;
  Override cell;  ///< stage: one that is not refused, see refused_stage(); head: as in a Problem
  bool operator==(const CellOverride&) const = default;
};

/// Numbers that replace all of a head's, such as those of another run (activation patching).
struct HeadPatch {
  LayerId at;
  Index head = 0;
  Stage stage = Stage::kHeadOutput;  ///< or kWeights
  SharedMatrix values;               ///< of the shape of that stage
  bool operator==(const HeadPatch& other) const {
    return at == other.at && head == other.head && stage == other.stage &&
           values.same_as(other.values);
  }
};

/// A number that replaces one of the residual stream before block `at.layer`; at the number of
/// layers, of the stream after the last one.
struct StreamOverride {
  LayerId at;  ///< kSelf or kEncoder
  Index row = 0;
  Index col = 0;
  float value = 0;
  bool operator==(const StreamOverride& other) const {
    return at == other.at && row == other.row && col == other.col && same_bits(value, other.value);
  }
};

/// What is done to a forward pass, as plain data: patches first, then overrides, then gains.
/// Weights are edited in the Network itself.
struct Interventions {
  std::vector<HeadGain> gains = {};  ///< at most one for each head
  std::vector<HeadPatch> patches = {};
  std::vector<CellOverride> overrides = {};
  std::vector<StreamOverride> stream = {};
  bool operator==(const Interventions&) const = default;
};

/// Why numbers of `stage` cannot be overridden in a forward pass, in the words that follow the
/// stage's name; empty for the stages that can be. X, which is what the sublayer reads, and all
/// from Q to output can be, and X_kv in cross-attention.
std::string refused_stage(Stage stage, Sublayer sublayer);

/// Why numbers of `stage` cannot be overridden in a layer that uses the keys and values of another
/// one, likewise: they are made there. Empty for other layers and stages.
std::string refused_stage(const Attention& attention, Stage stage);

/// The factor of the output of `head` (from 0) at `at`: 0 when it is muted, or when other heads
/// there are solo and it is not; otherwise its gain, 1 without any.
float head_gain(const Interventions& interventions, const LayerId& at, Index head);

/// The mix of `head` (from 0) at `at`: that of its gain, or HeadMix{} without any.
HeadMix head_mix(const Interventions& interventions, const LayerId& at, Index head);
/// The mixes of all heads at `at` as Problem::head_mix has them: `n_heads` of them, or none when no
/// head there has a gain.
std::vector<HeadMix> layer_mix(const Interventions& interventions, const LayerId& at,
                               Index n_heads);
/// The inverse: replaces the gains at `at` by those of `mix`, none for those that are HeadMix{}.
void set_layer_mix(const std::vector<HeadMix>& mix, const LayerId& at,
                   Interventions& interventions);

/// Layers of a sublayer, with those that have a convolution in its place; 0 when there are none.
Index layer_count(const Network& network, Sublayer sublayer);
/// The numbers of those that attend.
std::vector<Index> attending_layers(const Network& network, Sublayer sublayer);
/// The heads of each layer that attends; 0 when there is none.
Index head_count(const Network& network, Sublayer sublayer);
/// True when the block at `at` has a convolution in place of attention.
bool is_convolution(const Network& network, const LayerId& at);
/// Why there is no attention sublayer at `at`: there is no such layer, or it is a convolution.
std::string missing_attention(const Network& network, const LayerId& at);

/// The attention sublayer at `at`, or null when there is none.
const Attention* find_attention(const Network& network, const LayerId& at);
/// The same, for writing.
Attention* find_attention(Network& network, const LayerId& at);

/// Number of queries and keys of a sublayer.
struct ScoreShape {
  Index queries, keys;
};
/// That of `sublayer`, for a decoder or only stack of `n` tokens and an encoder of `encoder_n`.
ScoreShape score_shape(Sublayer sublayer, Index n, Index encoder_n);
/// The shape of a stage that is not refused in a sublayer with these queries and keys.
Shape replaceable_shape(const Attention& attention, Stage stage, const ScoreShape& scores);

/// Throws std::invalid_argument naming the intervention when it is about a layer, head, row or
/// column that does not exist, a stage that cannot be replaced, values of another shape, or what
/// another one already does to the same head or cell.
void validate(const Interventions& interventions, const Network& network, Index n, Index encoder_n);

}  // namespace attention::network
