#pragma once

#include "app/lessons/answers/expression.h"
#include "app/lessons/answers/expression_tree.h"

namespace lab::lessons {

/// The cell, or the row of cells, that a reference names: of a stage, else of a matrix that can be
/// edited. Throws BadInput, listing what there is, when it names something that is not there.
Value referenced(const ReferenceNode& reference, const Snapshot& live);

/// The size or switch of that name: d_model, d_k, d_v, d_out, n_heads, n_kv_heads, seq_len, kv_len,
/// temperature, scaled, causal, residual, layer_norm. Throws BadInput when there is none.
Value named_value(const std::string& name, const Snapshot& live);

}  // namespace lab::lessons
