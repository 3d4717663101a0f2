#pragma once

#include "app/base/error.h"
#include "app/document/document.h"
#include "app/files/tensors/tensors.h"

namespace lab::files {

/// The stages of every sentence of a batch, with the names of answer_tensors() and the sentences in
/// front: weights [batch × n_heads × seq_len × kv_len]. All are padded to the longest sentence, so
/// that weights of padded keys are 0. The metadata lists the tokens of each sentence without its
/// padding. Computes them. Fails with kBadInput where only some sentences have a second one, or one
/// does not fit the limits when it is padded.
Expected<TensorFile> batch_answer(const Document& document);

}  // namespace lab::files
