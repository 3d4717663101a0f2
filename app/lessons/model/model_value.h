#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/lessons/answers/expression.h"
#include "app/lessons/answers/expression_tree.h"

// Numbers of trained models in expressions. assets/lessons/README.md describes them for authors.

namespace lab::lessons {

/// The value of a reference: a number of a stage or matrix of any head, weights[L1H3, last, 4], or
/// one of what the model says about tokens and heads:
///   probability[row, token]   logit[row, token]   rank[row, token]   likeliest[row]
///   (with a layer first, by the logit lens after it: likeliest[L2, row])
///   predictions[row]   lens[row]: the ten likeliest tokens, and the likeliest after each layer
///   knock_out[head, row, token]   direct[part, row, token]   patching[head, row, token, "text"]
///   token[row]   gain[head], which is 0 when it is muted
///   previous_token[head]   first_token[head]   duplicate_token[head]   induction[head]
/// Throws BadInput if there is no such thing.
Value model_value(const ReferenceNode& reference, const Snapshot& live);

/// n_layers or vocabulary; of one that is trained here also step and known_loss, the mean loss of
/// what can be known in its text; std::nullopt for other names.
std::optional<Value> model_size(const std::string& name, const Snapshot& live);

/// The names of what a model says about tokens and heads.
std::span<const std::string_view> model_quantities();

/// The same model on the same text without its edits. Throws BadInput if `live` is no model's.
const Snapshot& without_model_edits(const Snapshot& live);

/// The layer that `cell` is in; `live` itself for cells of the layer that it shows.
const Snapshot& layer_of(const CellValue& cell, const Snapshot& live);

/// What a number of a trained model is called for people, "knock-out", in the language of the
/// process; empty for other names. See model_value().
std::string quantity_title(std::string_view name);

}  // namespace lab::lessons
