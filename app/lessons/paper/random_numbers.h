#pragma once

#include <cstdint>
#include <span>

#include "app/base/error.h"
#include "app/document/document.h"
#include "app/lessons/lesson.h"

namespace lab::lessons {

/// A copy of the document with random embeddings, weights and biases, the same for the same seed.
/// To suit work on paper, embeddings are whole numbers, and weights and biases are whole if all of
/// theirs are, else they have one decimal; each is drawn uniformly from about the range of its
/// matrix. Of several draws, takes the first in which no two tokens have the same queries, keys or
/// values, each row of weights has one that is largest, no answer to `questions` is revealed
/// by another cell of its matrix, and weights are shares rather than 0 and 1; or the one that comes
/// nearest to that. Sizes, words and switches stay. Fails with kBadInput if a number cannot be set
/// or an answer cannot be evaluated.
Expected<Document> with_random_numbers(const Document& document, std::uint64_t seed,
                                       std::span<const Question* const> questions = {});

}  // namespace lab::lessons
