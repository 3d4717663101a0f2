#pragma once

#include <memory>

#include "app/document/workspace.h"

// The user's work on arrays of another program.

namespace lab {

/// Gives `work` the new numbers `arrays`, under every state of its history; its edits stay as
/// Rebase says. Returns false when they have other sizes. Does nothing, and returns true, when the
/// work was made from other arrays or shows another layer.
bool update_arrays(Work& work, const ShownArrays& arrays);

/// Shows `layer` of the arrays that `work` was made from, as it was edited before; its numbers are
/// those of `base`. The edits of the layer before are kept in ShownArrays::others. Precondition:
/// work.arrays.
void show_array_layer(Work& work, int layer, std::shared_ptr<const Document> base);

}  // namespace lab
