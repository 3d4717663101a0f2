#pragma once

#include <string>
#include <vector>

#include "app/document/document.h"
#include "app/files/tensors/metadata.h"

// What a problem file says in its metadata: switches, numbers and labels, each a text.

namespace lab::files {

/// Sets in the problem's config what the metadata says of scale, temperature, causal, key_count,
/// window, positions, rotary_base, rotary_pairs, biases, dropout_rate, dropout_seed, residual,
/// layer_norm and layer_norm_epsilon, and the problem's head_mix and overrides; what is missing
/// stays. Throws BadInput naming what is wrong.
void read_variants(const Metadata& metadata, attention::Problem& problem);

/// The list of `count` strings in metadata `name`; the numbers from 0 when it is not there. Throws
/// BadInput when it is something else.
std::vector<std::string> read_labels(const Metadata& metadata, const char* name,
                                     attention::Index count);

/// True when the rules of the mask are written as metadata, so that the tensor mask holds only what
/// was forbidden cell by cell.
bool tells_mask_rules(const Metadata& metadata);

/// Scale, temperature, causal and the tokens always; the rest where it differs from its default.
Metadata problem_metadata(const Document& document);

/// Every name that problem_metadata writes.
std::vector<std::string> problem_metadata_names();

}  // namespace lab::files
