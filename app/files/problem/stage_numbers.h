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

/// One stage under its name in answer files: [rows × cols], or [n_heads × rows × cols] for all
/// heads (`head` empty) of a stage that differs by head; K, V and rotated_K have n_kv_heads. `head`
/// counts from 0.
Tensor stage_tensor(const Document& document, const attention::Trace& trace, attention::Stage stage,
                    std::optional<attention::Index> head);

/// The same numbers as a table with labels. The tables of several heads follow one another, and a
/// first column, "head" (or "kv_head" where heads share keys and values), holds the head of each
/// row, from 1.
std::string stage_csv(const Document& document, const attention::Trace& trace,
                      attention::Stage stage, std::optional<attention::Index> head);

/// The header of a table with one line per number.
inline constexpr std::string_view kLongHeader =
    "stage,head,row,row_label,column,column_label,value\n";

/// The lines of that table for one stage: heads count from 1 and are empty where all heads share
/// the stage, rows and columns count from 0.
std::string stage_long_csv(const Document& document, const attention::Trace& trace,
                           attention::Stage stage, std::optional<attention::Index> head);

}  // namespace lab::files
