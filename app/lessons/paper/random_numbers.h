#pragma once

#include <cstdint>

#include "app/base/error.h"
#include "app/document/document.h"

namespace lab::lessons {

/// A copy of the document with random embeddings, weights and biases, the same for the same seed.
/// Numbers are drawn uniformly from the range of each matrix: integers if all of its numbers are
/// integers, else with one decimal, to suit work on paper. Sizes, words and switches stay. Fails
/// like reduce() if a number cannot be set.
Expected<Document> with_random_numbers(const Document& document, std::uint64_t seed);

}  // namespace lab::lessons
