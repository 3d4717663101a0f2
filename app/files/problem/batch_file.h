#pragma once

#include <string>
#include <vector>

#include "app/base/error.h"
#include "app/document/document.h"
#include "app/files/tensors/metadata.h"
#include "app/files/tensors/tensors.h"

// Problems of several sentences over the same weights.

namespace lab::files {

/// True when X is that of several sentences.
bool holds_batch(const TensorFile& file);

/// A document with a batch, from the tensors of a problem in which X is [batch × seq_len ×
/// d_model], X_kv [batch × kv_len × d_model], and mask and bias are of one sentence, for all, or of
/// each, [batch × seq_len × kv_len]. See read_batch_labels() for their tokens: what a shorter list
/// does not name is padding, which is left out. Throws BadInput naming the tensor, and as
/// attention::validate() does.
Document document_from_batch(const TensorFile& file, std::string title);

/// The tensors of a document with a batch, as document_from_batch() reads them; shorter sentences
/// are filled up with zeros. Overrides, which belong to single sentences, are left out. Fails as
/// batch_metadata() and all_sentences() do.
Expected<TensorFile> batch_tensors(const Document& document);

/// The metadata of a file with all of these sentences: that of the first one, with the tokens of
/// each and without overrides. Fails with kBadInput where only some have a second sentence.
Expected<Metadata> batch_metadata(const std::vector<Document>& sentences);

/// The stages of every sentence of a batch, with the names of answer_tensors() and the sentences in
/// front: weights [batch × n_heads × seq_len × kv_len]. All are padded to the longest sentence, so
/// that weights of padded keys are 0. The metadata lists the tokens of each sentence without its
/// padding. Computes them. Fails with kBadInput where only some sentences have a second one, or one
/// does not fit the limits when it is padded.
Expected<TensorFile> batch_answer(const Document& document);

}  // namespace lab::files
