#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/lessons/answers/expression.h"
#include "app/lessons/answers/expression_tree.h"
#include "core/matrix.h"

// The meaning of names and indices in an expression.

namespace lab::lessons {

/// Looks up the cell or the row of cells that a reference names, in a stage or else in an editable
/// matrix; in a trained model also its other numbers, see model_value(). Throws BadInput with a
/// list of the valid names if it does not exist.
Value referenced(const ReferenceNode& reference, const Snapshot& live);
/// The same in the layer that `live` shows, whose heads count from 1.
Value referenced_in_layer(const ReferenceNode& reference, const Snapshot& live);

/// Looks up a size or switch by name: d_model, d_k, d_v, d_out, n_heads, n_kv_heads, seq_len,
/// kv_len, temperature, scaled, causal, residual, layer_norm; of a trained model also n_layers and
/// vocabulary. Throws BadInput if there is none with this name.
Value named_value(const std::string& name, const Snapshot& live);

/// The row or column that an index names: by its label, which a model's token has also without the
/// mark of the blank before it ("it" for "·it"); by its number from 0; or as `last`. Nothing if
/// there is none.
std::optional<attention::Index> named_index(const IndexText& index,
                                            const std::vector<std::string>& labels);

/// "Cat, sat, on …": some of the labels, for messages.
std::string listed(const std::vector<std::string>& labels);

/// The label of a model's token without the mark of the blank before it.
std::string without_blank(const std::string& label);

}  // namespace lab::lessons
