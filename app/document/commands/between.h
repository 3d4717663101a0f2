#pragma once

#include "app/base/error.h"
#include "app/document/document.h"

namespace lab {

/// Fails with kUsage when there is no way between two states: they differ in a size, in the number
/// of tokens or in having a second sentence.
Expected<void> check_between(const Document& from, const Document& to);

/// A state on the way between two: `share` 0 is `from`, 1 is `to`. Every number of the inputs
/// (embeddings, weights, biases, tables, overrides, temperature, scales of heads) lies on the
/// straight line between both; what is no number, and numbers of which one is not finite, change
/// half way. To be shown, not to be edited: between the ends its lexicons are those of the nearer
/// state. Fails as check_between does.
Expected<Document> between(const Document& from, const Document& to, double share);

}  // namespace lab
