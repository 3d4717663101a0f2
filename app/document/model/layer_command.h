#pragma once

#include <optional>

#include "app/base/error.h"
#include "app/document/commands/command.h"
#include "app/document/document.h"
#include "app/document/model/model_document.h"

// Edits of a trained model, as the commands that edit a document.

namespace lab {

/// True for the commands that are not about one layer: they set a text, change or show the texts of
/// a batch, or go to a step of training.
bool is_of_whole_model(const Command& command);

/// The model after such a command, whose tokens may be more than it has positions for. Fails as
/// with_texts(), at_step() and the reduce() of model_batch.h do, and for options that a model's
/// text does not have.
Expected<ModelDocument> apply_to_model(const ModelDocument& model, const Command& command);

/// Fails, saying what can be edited, for commands that are neither of the whole model nor edit a
/// layer.
Expected<void> check_edits_model(const Command& command);

/// The document after `command`, which edits the layer that `layer` shows, or the texts of its
/// model: see apply() of model_command.h, which says what is refused. The result is pending when X
/// must be computed again. A command that changes nothing gives a document that equals `layer`.
Expected<Document> apply_in_layer(const Document& layer, const Command& command);

/// The same in layer `at`, which may be another one; unset: in this one.
Expected<Document> apply_at(const Document& layer, const Command& command,
                            const std::optional<attention::network::LayerId>& at);

/// The same for a head of layer `at`, which may be another one.
Expected<Document> apply_to_head(const Document& layer, const attention::network::LayerId& at,
                                 const SetHeadMix& command);

}  // namespace lab
