#pragma once

// What the structs of commands say about themselves: the part of the model that they edit, and
// which fields have a text form that does not follow from their type; see their fields().

namespace lab {

/// The part of the model that a command edits.
enum class ModelComponent {
  kSentence,    ///< both sentences and how they are split into tokens
  kEmbeddings,  ///< X, X_kv, the tables of positions
  kWeights,     ///< W_Q, W_K, W_V, W_O and the biases, gamma, beta, norm_Q, norm_K and sinks
  kMask,        ///< which query may attend to which key, and the score bias
  kSizes,       ///< d_model, heads, d_k, d_v, how heads are built
  kSwitches,    ///< scale, temperature, positions, biases, norms, cap, dropout, residual
  kHeads,       ///< mute, solo and gain of heads
  kOverrides,   ///< overridden numbers of stages
  kTraining     ///< the step of a model that is trained
};

/// A whole number that counts from 0 and is written from 1, as people count. Plain int fields are
/// written unchanged, and must be at least 0 when read.
template <typename Int>
struct CountedFromOne {
  /// `field` must outlive it.
  explicit CountedFromOne(Int& field) : number(field) {}
  Int& number;
};

/// The number of a head, from 0: written from 1, but from 0 in lines on a trained model.
template <typename Int>
struct HeadNumber {
  /// `field` must outlive it.
  explicit HeadNumber(Int& field) : number(field) {}
  Int& number;
};

/// A whole number that may be negative.
template <typename Int>
struct AnyWhole {
  /// `field` must outlive it.
  explicit AnyWhole(Int& field) : number(field) {}
  Int& number;
};

}  // namespace lab
