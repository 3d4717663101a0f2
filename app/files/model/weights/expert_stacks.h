#pragma once

#include "app/files/model/weights/checkpoint.h"
#include "core/network/stored_matrix.h"

namespace lab::files {

/// Replaces tensors that hold a map of all experts of a layer by the maps of each, where they lie:
/// "….experts.NAME" [experts × out × in], or "….mlp.experts.NAME" [experts × in × out] of gpt-oss,
/// by "….experts.NAME.0.weight" … [out × in], and "….experts.NAME_bias" [experts × out] by
/// "….experts.NAME.0.bias" …. Throws BadInput naming the tensor when there are too many of them, or
/// it has another shape.
void split_expert_stacks(Checkpoint& checkpoint);

/// Every second column of `matrix`, from `first` (0 or 1) on, read where they are.
attention::network::StoredMatrix every_second_column(const attention::network::StoredMatrix& matrix,
                                                     attention::Index first);

}  // namespace lab::files
