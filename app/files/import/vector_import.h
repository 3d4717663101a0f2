#pragma once

#include <string>
#include <vector>

#include "app/files/import/matrix_import.h"
#include "app/files/import/text_vectors.h"

namespace lab::files {

/// The distinct words of both sentences, sorted.
std::vector<std::string> words_in_use(const Document& document);

/// The message for vectors whose length is not d_model: "glove.txt has vectors of 50 numbers,
/// d_model is 8". `name` is what the file is called.
std::string vector_misfit_text(const Document& document, const WordVectors& vectors,
                               const std::string& name);

/// The steps that make `vectors` the embeddings of the words in use, in both sentences; words that
/// were not found keep theirs, with a note. With `resize`, d_model is first set to the length of
/// the vectors. Fails with kBadInput when none of the words was found, or the length differs from
/// d_model and d_model cannot be set to it.
Expected<Import> import_vectors(const Document& document, const WordVectors& vectors,
                                const std::string& name, bool resize = false);

}  // namespace lab::files
