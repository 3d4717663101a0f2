#pragma once

#include <cstddef>
#include <string>

#include "app/base/error.h"

// The list of sentences of a document, whether it was made by hand (see batch.h) or is of a trained
// model (see model/model_batch.h). Sentences count from 0.

namespace lab {

struct Document;
struct ModelDocument;

/// The number of sentences: 1 without a batch.
std::size_t sentence_count(const Document& document);
/// The same for a trained model.
std::size_t sentence_count(const ModelDocument& document);

/// The one that is shown.
std::size_t current_sentence(const Document& document);
/// The same for a trained model.
std::size_t current_sentence(const ModelDocument& document);

/// The text of sentence `number`, as typed; of a model with two stacks what the encoder reads, and
/// its tokens where ids were given. Precondition: there is that sentence.
std::string sentence_text(const Document& document, std::size_t number);
/// The same for a trained model.
std::string sentence_text(const ModelDocument& document, std::size_t number);

/// Fails when a batch of `count` sentences cannot have one more.
Expected<void> check_room_for_sentence(std::size_t count);
/// Fails when there is only one.
Expected<void> check_several_sentences(std::size_t count);
/// Fails when `number` is none of `count` sentences.
Expected<void> check_sentence(int number, std::size_t count);

}  // namespace lab
