#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/document/commands/command.h"

namespace lab::lessons {

/// What of the model a lesson can keep from being edited.
enum class Control {
  kSentence,    ///< both sentences and how they are cut into tokens
  kEmbeddings,  ///< X, X_kv, the tables of positions
  kWeights,     ///< W_Q, W_K, W_V, W_O and the biases, gamma and beta
  kMask,        ///< who may look at whom, and the score bias
  kSizes,       ///< d_model, heads, d_k, d_v, how heads are built
  kSwitches,    ///< scale, temperature, positions, biases, dropout, residual, LayerNorm
  kHeads,       ///< mute, solo and gain of heads
  kOverrides    ///< numbers of stages that are set by hand
};

/// "sentence", "embeddings", "weights", "mask", "sizes", "switches", "heads", "overrides".
std::string_view control_name(Control control);
std::optional<Control> control_from_name(std::string_view name);
/// What the command edits.
Control control_of(const Command& command);

/// What of the window a lesson can hide.
enum class Panel { kEdit, kModel, kHeads, kTokens, kExplain, kRow, kHead };

/// "edit", "model", "heads", "tokens", "explain", "row", "head".
std::string_view panel_name(Panel part);
std::optional<Panel> panel_from_name(std::string_view name);

/// Every name of a control, of a part: "sentence, embeddings, …", for messages.
std::string control_names();
std::string panel_names();

}  // namespace lab::lessons
