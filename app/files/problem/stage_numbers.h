#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/document/document.h"
#include "app/files/tensors/tensors.h"
#include "core/layer/trace.h"

namespace lab::files {

/// The shape of stage_tensor: [rows × cols] or [n_heads × rows × cols].
std::vector<std::int64_t> tensor_shape(const attention::Problem& problem, attention::Stage stage,
                                       std::optional<attention::Index> head);

/// One stage named as in the answer files: [rows × cols], or [n_heads × rows × cols] for all heads
/// (`head` empty) of a stage of which every head has its own; of K, V and rotated_K there are
/// n_kv_heads. `head` counts from 0.
Tensor stage_tensor(const Document& document, const attention::Trace& trace, attention::Stage stage,
                    std::optional<attention::Index> head);

/// The same numbers as a table with labels. For all heads the heads stand below each other and a
/// first column, "head" (or "kv_head", where they share keys and values), says which one a row
/// belongs to, from 1.
std::string stage_csv(const Document& document, const attention::Trace& trace,
                      attention::Stage stage, std::optional<attention::Index> head);

/// The first line of a table that has a line for each number.
inline constexpr std::string_view kLongHeader =
    "stage,head,row,row_label,column,column_label,value\n";

/// The lines of that table for one stage: heads count from 1 and are left out where all share one,
/// rows and columns count from 0.
std::string stage_long_csv(const Document& document, const attention::Trace& trace,
                           attention::Stage stage, std::optional<attention::Index> head);

}  // namespace lab::files
