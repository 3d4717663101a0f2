#pragma once

#include "app/base/error.h"
#include "app/document/document.h"

namespace lab {

/// Fails with kUsage when two states cannot be interpolated: they differ in a size, in the number
/// of tokens or in having a second sentence.
Expected<void> check_between(const Document& from, const Document& to);

/// The interpolation of two states: `share` 0 is `from`, 1 is `to`. Every number of the inputs
/// (embeddings, weights, biases, tables, overrides, temperature, scales of heads) is interpolated
/// linearly; everything else, and numbers of which one is not finite, changes half way. For
/// display, not for editing: between the ends its lexicons are those of the nearer state. Fails as
/// check_between does.
Expected<Document> between(const Document& from, const Document& to, double share);

}  // namespace lab
