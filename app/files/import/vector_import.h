#pragma once

#include <string>
#include <vector>

#include "app/files/import/matrix_import.h"
#include "app/files/import/text_vectors.h"

namespace lab::files {

/// The words of both sentences, each once, sorted.
std::vector<std::string> words_in_use(const Document& document);

/// What is said where the vectors have another length than d_model: "glove.txt has vectors of 50
/// numbers, d_model is 8". `name` is what the file is called.
std::string vector_misfit_text(const Document& document, const WordVectors& vectors,
                               const std::string& name);

/// Everything that makes `vectors` the embedding of the words in use, of the second sentence too;
/// words that were not found keep what they have, and are noted. With `resize` d_model becomes the
/// dimension of the vectors first. Fails with kBadInput when none of the words was found, the
/// dimension is another one than d_model, or d_model cannot become it.
Expected<Import> import_vectors(const Document& document, const WordVectors& vectors,
                                const std::string& name, bool resize = false);

}  // namespace lab::files
