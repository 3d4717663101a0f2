#pragma once

#include "app/document/reducer.h"

// The parts of apply(), one for each kind of command; see reducer.h for what they do.

namespace lab {

Expected<Document> reduce(const Document& document, const SetSentence& command);
Expected<Document> reduce(const Document& document, const SetTokenMode& command);
Expected<Document> reduce(const Document& document, const SetSize& command);
Expected<Document> reduce(const Document& document, const SetScale& command);
Expected<Document> reduce(const Document& document, const SetTemperature& command);
Expected<Document> reduce(const Document& document, const SetMask& command);
Expected<Document> reduce(const Document& document, const SetCell& command);
Expected<Document> reduce(const Document& document, const FillMatrix& command);

/// The matrix to be changed; as matrix_of().
attention::SharedMatrix& editable_matrix(Document& document, MatrixRef ref);

/// Fails when n_heads · seq_len · kv_len is beyond Limits::kScores.
Expected<void> check_scores(attention::Index n_heads, attention::Index seq_len,
                            attention::Index kv_len);

/// Fails when an embedding table of so many words and features is beyond Limits::kParameters.
Expected<void> check_lexicon(attention::Index words, attention::Index d_model);

/// True when both have the same shape and the same bits.
bool same_numbers(const attention::Matrix& a, const attention::Matrix& b);

}  // namespace lab
