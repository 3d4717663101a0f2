#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/document/commands/reducer.h"
#include "app/document/document.h"

// What the parts of apply() share, which are the reduce() of each command, declared in command.h,
// and here for those of layer_switches.h.

namespace lab {

struct FollowedLines;

/// apply() for a document that is no layer of a model, or as if it were none.
Expected<Document> apply_by_hand(const Document& document, const Command& command);

/// The matrix for writing, see matrix_of().
attention::SharedMatrix& editable_matrix(Document& document, MatrixRef ref);

/// The document with `values` in that matrix, which must have its shape and be checked already. The
/// same document when the numbers are the same. Not for embeddings, whose rows belong to words.
Document with_numbers(const Document& document, MatrixRef ref, attention::Matrix values);

/// The document with `value`, which must be checked already, in every cell of that matrix. A mask
/// or score bias that forbids or adds nothing is removed. Not for embeddings.
Document filled_with(const Document& document, MatrixRef ref, float value);

/// Fails when there is no such query head, or key and value head; `count` is the number of them.
Expected<void> check_head(int head, int count);
/// The same for key and value heads.
Expected<void> check_kv_head(int head, int count);

/// The name of the matrix within a sentence, as matrix_in_text() of command.h, with the number that
/// the head has in this document.
std::string matrix_in_text(const Document& document, MatrixRef ref);

/// Fails when row and col are not within `shape`; `name` is the name in the message.
Expected<void> require_cell(const std::string& name, attention::Shape shape, int row, int col);

/// Fails as check_value() does, but −∞ is allowed.
Expected<void> check_score(float value);

/// Fails when n_heads · seq_len · kv_len is beyond Limits::kScores.
Expected<void> check_scores(attention::Index n_heads, attention::Index seq_len,
                            attention::Index kv_len);

/// The tokens of a sentence. Fails as split_sentence() does, and beyond the limits.
Expected<std::vector<Token>> split_within_limits(const std::string& text,
                                                 const Splitting& splitting);

/// Updates tokens and embeddings, and what stands on words, for sentences of these tokens, which
/// are padded here; there is no second one if `second` is empty.
Expected<Document> with_tokens(Document changed, const std::vector<Token>& first,
                               const std::vector<Token>& second);

/// MaskRules::key_count of a sentence with these keys in a batch that is padded: no query attends
/// to padding, nor to keys beyond those that the batch allows.
int padded_key_count(const Batch& batch, const std::vector<Token>& keys);

/// Fails when an embedding table with that many words and features is beyond Limits::kParameters.
Expected<void> check_lexicon(attention::Index words, attention::Index d_model);

/// Fails with the core's message when sizes and switches cannot be combined.
Expected<void> check_config(const attention::Config& config);

/// `changed`, or the core's message when it is invalid.
Expected<Document> checked(Document changed);

/// The document after `edit` of its switches and numbers, which must not change its sizes.
Expected<Document> with_config(const Document& document,
                               const std::function<void(attention::Config&)>& edit);

/// The document with a switch and its epsilon, as far as they are given; fails as apply() does.
Expected<Document> with_switch(const Document& document, const LayerSwitch& record,
                               std::optional<bool> on, std::optional<float> epsilon);
/// The document with a number; fails as apply() does.
Expected<Document> with_number(const Document& document, const LayerNumber& record, float value);

/// The reduce() of all switches, norms and numbers of the layer.
template <const LayerSwitch& kRecord>
Expected<Document> reduce(const Document& document, const SetSwitch<kRecord>& command) {
  return with_switch(document, kRecord, command.on, std::nullopt);
}
/// Sets what is given: whether there is a norm, and its epsilon.
template <const LayerSwitch& kRecord>
Expected<Document> reduce(const Document& document, const SetNorm<kRecord>& command) {
  return with_switch(document, kRecord, command.on, command.epsilon);
}
/// Sets a number, which its record checks.
template <const LayerNumber& kRecord>
Expected<Document> reduce(const Document& document, const SetNumber<kRecord>& command) {
  return with_number(document, kRecord, command.value);
}

/// Adapts what depends on the sizes or the positions: overrides of cells that no longer exist are
/// detached and those that exist again return, position tables grow with zeros.
void make_fit(Document& document);
/// The same after an edit of a sentence: painted mask, score bias and overrides follow their words;
/// see remap_cells().
void make_fit(Document& document, const FollowedLines& words);

/// True when both have the same shape and the same bits.
bool same_numbers(const attention::MatrixView& a, const attention::MatrixView& b);
/// True when both have the same bits.
bool same_number(float a, float b);

/// The document with the sizes of `config`; see SetSize in reducer.h for what is kept and what is
/// new. Precondition: attention::validate accepts `config`.
Document resized(const Document& document, const attention::Config& config);

}  // namespace lab
