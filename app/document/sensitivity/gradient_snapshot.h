#pragma once

#include "app/document/snapshot.h"
#include "core/gradient/layer_gradient.h"

namespace lab {

/// The document and its trace with d(number) / d(each number) in place of each matrix and each
/// stage, and 0 where nothing moves it. Tokens, names and the mask, which has no derivative, stay.
/// What shows or writes numbers shows and writes the gradient then.
Snapshot gradient_snapshot(Document document, const attention::LayerGradient& gradient);

}  // namespace lab
