#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/document/commands/command.h"
#include "app/document/model/model_document.h"

namespace lab {

/// A command on a model: the same edits as of a session, in one of its layers.
struct ModelCommand {
  std::optional<attention::network::LayerId> layer;  ///< of edits of a layer; unset: not specified
  Command command;
};

/// The command as a line of JSON: that of to_json_line(), with "layer": "3" (or "cross.0",
/// "encoder.1") where it has one, and heads counted from 0, as layers are.
std::string to_json_line(const ModelCommand& command);

/// Reads such a line. Fails as command_from_json_line() does, and when the layer is no layer's
/// name.
Expected<ModelCommand> model_command_from_json_line(std::string_view line);

/// The document after `command`, which is done in the layer that it names, or else in `layer`:
///
/// - set_cell, set_block, set_blocks and fill_matrix of W_Q, W_K, W_V, W_O, their biases, norm_Q
///   and norm_K; set_head_mix; set_override, remove_override and clear_overrides: as in a session,
///   see absorb_layer(). clear_overrides also forgets those of the layer that are detached.
/// - set_sentence: the text that is continued or whose gaps are filled; of a model with two stacks
///   that of the decoder, which an empty text lets begin with its first token alone.
/// - set_adapter_gain: of a model that was opened with an adapter.
/// - set_kv_sentence: of a model with two stacks, the text that the encoder reads.
/// - add_sentence, remove_sentence, go_to_sentence: the texts of a batch, see model_batch.h.
///
/// Fails with kBadInput, saying why, for everything else, and for other matrices of a layer also
/// where a number stays the same. Computes what the layer reads with
/// `evaluator`.
Expected<ModelDocument> apply(const ModelDocument& document, const ModelCommand& command,
                              attention::network::NetworkEvaluator& evaluator);

}  // namespace lab
