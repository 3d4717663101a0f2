#pragma once

#include <functional>

#include "app/document/commands/reducer.h"

// What the parts of apply() share: the reduce() of each command, which command.h declares.

namespace lab {

/// The matrix to be changed; as matrix_of().
attention::SharedMatrix& editable_matrix(Document& document, MatrixRef ref);

/// The document with `values` in that matrix; they have its shape and were checked. The same
/// document when the numbers are the same. Not for embeddings, whose rows are the words'.
Document with_numbers(const Document& document, MatrixRef ref, attention::Matrix values);

/// The document with `value`, which was checked, in every cell of that matrix. A mask or score bias
/// that forbids or adds nothing is absent from then on. Not for embeddings.
Document filled_with(const Document& document, MatrixRef ref, float value);

/// Fails when there is no such head, or head of keys and values that several heads share; `count`
/// is how many there are.
Expected<void> check_head(int head, int count);
Expected<void> check_kv_head(int head, int count);

/// Fails when row and col are not within `shape`; `name` is what the message calls it.
Expected<void> check_place(const std::string& name, attention::Shape shape, int row, int col);

/// Fails when `value` is no number that can be typed: NaN, infinite, or beyond ±kLargestCell.
Expected<void> check_value(float value);
/// The same, but −∞ may be typed too.
Expected<void> check_score(float value);

/// Fails when n_heads · seq_len · kv_len is beyond Limits::kScores.
Expected<void> check_scores(attention::Index n_heads, attention::Index seq_len,
                            attention::Index kv_len);

/// Fails when an embedding table of so many words and features is beyond Limits::kParameters.
Expected<void> check_lexicon(attention::Index words, attention::Index d_model);

/// Fails with what the core says against sizes and switches that do not go together.
Expected<void> check_config(const attention::Config& config);

/// `changed`, or what the core says against it.
Expected<Document> checked(Document changed);

/// The document after `edit` of its switches and numbers, which must leave its sizes alone.
Expected<Document> with_config(const Document& document,
                               const std::function<void(attention::Config&)>& edit);

/// Makes what stands on the number of tokens, the sizes or the positions fit them again: painted
/// masks, biases and overrides of cells that are gone are dropped, position tables grow with zeros.
void make_fit(attention::Problem& problem);

/// True when both have the same shape and the same bits.
bool same_numbers(const attention::MatrixView& a, const attention::MatrixView& b);
/// True when both have the same bits.
bool same_number(float a, float b);

}  // namespace lab
