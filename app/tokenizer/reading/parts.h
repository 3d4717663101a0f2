#pragma once

#include <map>
#include <vector>

#include "app/tokenizer/reading/json_node.h"
#include "app/tokenizer/tokenizer.h"

// Readers of the parts of a tokenizer.json. All throw BadInput, with the place, when a part is not
// what it should be or names a node that is not supported.

namespace lab::tokenizer {

/// The normalizers that `node` lists, in order; Sequences are unfolded.
std::vector<Normalizer> read_normalizers(const JsonNode& node);
/// The pre-tokenizers.
std::vector<PreTokenizer> read_pre_tokenizers(const JsonNode& node);
/// The model, with its vocabulary.
Model read_model(const JsonNode& node);
/// The post-processors.
std::vector<PostProcessor> read_post_processors(const JsonNode& node);
/// The decoders.
std::vector<Decoder> read_decoders(const JsonNode& node);
/// The added tokens. Those that `model` has get its id, the others the ids after it, as in the
/// reference; `normalizers` are applied to those that are looked for after normalization.
AddedTokens read_added_tokens(const JsonNode& node, const Model& model,
                              std::span<const Normalizer> normalizers);
/// The word before a text that `node` describes; see LeadingCode.
LeadingCode read_leading_code(const JsonNode& node, const Vocabulary& vocabulary);
/// The length to which texts are cut.
Truncation read_truncation(const JsonNode& node);
/// The length to which texts are filled up.
Padding read_padding(const JsonNode& node);

/// The pattern in `node`: {"String": …} or {"Regex": …}.
Pattern read_pattern(const JsonNode& node);
/// The behavior that `node` names, such as "Removed".
SplitBehavior read_behavior(const JsonNode& node);

}  // namespace lab::tokenizer
