#pragma once

#include <optional>
#include <string_view>

#include "core/layer/stage.h"
#include "core/matrix_id.h"

// What commands refer to: matrices, sizes and cells of stages.

namespace lab {

// A matrix that can be edited: any matrix of a problem. X and X_kv are the embeddings of the two
// sentences; the mask and the score bias have a number for each pair of query and key.
using attention::matrix_from_name;
using attention::MatrixId;

/// One editable matrix of the document.
struct MatrixRef {
  MatrixId id = MatrixId::kWQ;
  int head = 0;  ///< from 0; for W_K, W_V, b_K and b_V the key and value head; 0 when there is only
                 ///< one
  bool operator==(const MatrixRef&) const = default;
};

/// A size of the model that can be changed.
enum class SizeId { kDModel, kHeads, kDK, kDV, kKvHeads };

/// "d_model", "n_heads", "d_k", "d_v", "n_kv_heads".
std::string_view size_name(SizeId id);
/// The size of that name, or nothing.
std::optional<SizeId> size_from_name(std::string_view name);

/// A cell of a stage. Heads that share keys and values share the cells of K, V, normed_K, normed_V
/// and rotated_K.
struct StageCell {
  attention::Stage stage = attention::Stage::kScores;
  int head = 0;  ///< from 0; 0 for stages without heads
  int row = 0;
  int col = 0;
  bool operator==(const StageCell&) const = default;
};

}  // namespace lab
