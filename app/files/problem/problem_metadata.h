#pragma once

#include <string>
#include <vector>

#include "app/document/document.h"
#include "app/files/tensors/metadata.h"

// The metadata of a problem file: switches, numbers and labels, all as text.

namespace lab::files {

/// Sets scale, temperature, causal, key_count, window, positions, rotary_base, rotary_pairs,
/// rotary_scale, biases, head_norm, head_norm_epsilon, head_norm_joint, sink, value_norm,
/// score_cap, dropout_rate, dropout_seed, residual, layer_norm and layer_norm_epsilon in the config
/// of the problem, and its head_mix and overrides, from the metadata; what is missing stays as it
/// is. Throws BadInput naming what is wrong.
void read_variants(const Metadata& metadata, attention::Problem& problem);

/// The list of `count` strings in metadata `name`, or the numbers from 0 when it is missing. Throws
/// BadInput when it is something else.
std::vector<std::string> read_labels(const Metadata& metadata, const char* name,
                                     attention::Index count);

/// The labels of each of `sentences` sentences of a batch, each of at most `count` tokens: a list
/// of `count` strings in metadata `name` is that of all of them, a list of lists has one for each,
/// of which shorter ones leave out padding; the numbers from 0 when it is missing. Throws as
/// read_labels() does.
std::vector<std::vector<std::string>> read_batch_labels(const Metadata& metadata, const char* name,
                                                        attention::Index sentences,
                                                        attention::Index count);

/// The text of metadata that read_labels() and read_batch_labels() read.
std::string labels_text(const std::vector<std::string>& labels);
/// The same for the sentences of a batch.
std::string labels_text(const std::vector<std::vector<std::string>>& labels);

/// True when the mask rules are in the metadata, so that the tensor mask holds only what is
/// forbidden cell by cell.
bool tells_mask_rules(const Metadata& metadata);

/// The metadata of a document: scale, temperature, causal and the tokens always, anything else only
/// where it differs from its default.
Metadata problem_metadata(const Document& document);

/// Every name that problem_metadata can write.
std::vector<std::string> problem_metadata_names();

}  // namespace lab::files
