#pragma once

#include <cstdint>

#include "app/base/error.h"
#include "app/document/document.h"

namespace lab::lessons {

/// The document with other numbers in the embeddings, the weights and the biases, the same for the
/// same seed: drawn evenly from the range of each matrix; whole where all of its numbers are whole,
/// else with one decimal, as suits work on paper. Sizes, words and switches stay. Fails when a
/// number cannot be set, as reduce() does.
Expected<Document> with_other_numbers(const Document& document, std::uint64_t seed);

}  // namespace lab::lessons
