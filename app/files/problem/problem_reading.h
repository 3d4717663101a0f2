#pragma once

#include <string>

#include "app/document/document.h"
#include "app/files/tensors/tensors.h"

// The parts of reading a problem, see document_from_tensors().

namespace lab::files {

/// A document with the sizes, switches, parameters and position tables of the file, but no sentence
/// yet. Throws BadInput, and as attention::validate() does.
Document read_layer(const TensorFile& file, std::string title);

/// Adds the sentence of the file: X and X_kv with their labels, mask and bias. Throws as
/// read_layer() does. Precondition: `document` comes from read_layer().
void read_sentence(const TensorFile& file, Document& document);

}  // namespace lab::files
