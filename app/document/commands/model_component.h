#pragma once

namespace lab {

/// The part of the model that a command edits.
enum class ModelComponent {
  kSentence,    ///< both sentences and how they are split into tokens
  kEmbeddings,  ///< X, X_kv, the tables of positions
  kWeights,     ///< W_Q, W_K, W_V, W_O and the biases, gamma, beta, norm_Q and norm_K
  kMask,        ///< which query may attend to which key, and the score bias
  kSizes,       ///< d_model, heads, d_k, d_v, how heads are built
  kSwitches,    ///< scale, temperature, positions, biases, norms, cap, dropout, residual
  kHeads,       ///< mute, solo and gain of heads
  kOverrides,   ///< overridden numbers of stages
  kTraining     ///< the step of a model that is trained
};

}  // namespace lab
