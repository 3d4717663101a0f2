#pragma once

#include "app/document/document.h"
#include "app/document/error.h"
#include "app/files/tensors.h"
#include "core/trace.h"

namespace lab {

/// A document from a problem's tensors (X, X_kv, W_Q, W_K, W_V, W_O, b_*, mask, bias; metadata
/// scale, temperature, tokens). Equal tokens with different rows get keys of their own. Fails with
/// kBadInput naming the tensor, its shape and the shape it should have.
Expected<Document> document_from_tensors(const TensorFile& file, std::string title);

/// The problem's tensors of a document, as document_from_tensors reads them.
TensorFile problem_tensors(const Document& document);

/// Every stage as tensors named and shaped as the answers are: Q, K, V, scores, scaled_scores,
/// masked_scores, weights, head_output [n_heads × … × …], concat, output.
TensorFile answer_tensors(const Document& document, const attention::Trace& trace);

}  // namespace lab
