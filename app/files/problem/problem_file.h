#pragma once

#include <string>
#include <vector>

#include "app/base/error.h"
#include "app/document/document.h"
#include "app/files/tensors/tensors.h"
#include "core/gradient/layer_gradient.h"
#include "core/layer/trace.h"

namespace lab::files {

/// A document from the tensors of a problem (X, X_kv, position_table, position_table_kv, W_Q, W_K,
/// W_V, W_O, b_*, sink, gamma, beta, norm_Q, norm_K, mask, bias) and its metadata (see
/// read_variants; tokens, kv_tokens). W_K, W_V, b_K and b_V have n_kv_heads in place of n_heads.
/// Without metadata about mask rules, the tensor mask may contain them: a causal mask becomes the
/// rule. Equal tokens with different rows get keys of their own. X may be that of several
/// sentences, see document_from_batch(). Fails with kBadInput naming the tensor or the metadata,
/// what it is and what it should be.
Expected<Document> document_from_tensors(const TensorFile& file, std::string title);

/// Tensors and metadata that are not read but whose names look like misspelt ones: one sentence for
/// each, for a person.
std::vector<std::string> misspelt_names(const TensorFile& file);

/// The tensors of the problem in a document, as document_from_tensors reads them; the tensor mask
/// holds only what is forbidden cell by cell, the rules are metadata.
TensorFile problem_tensors(const Document& document);

/// The stages in an answer, in the order of the formula: those that are active as steps of their
/// own.
std::vector<attention::Stage> answer_stages(const attention::Problem& problem);

/// Those stages as tensors with the names and shapes of an answer: X, X_kv for a second sentence,
/// Q, K, V, scores, scaled_scores, masked_scores, weights, head_output [n_heads × … × …], concat,
/// output, and the others where they are steps of their own. K, V, normed_K, normed_V and rotated_K
/// have n_kv_heads in place of n_heads.
TensorFile answer_tensors(const Document& document, const attention::Trace& trace);

/// A gradient as tensors: under the name of each matrix of the problem (X, W_Q, …) a tensor of the
/// same shape, and under "stage." and its name each stage of an answer. What does not move the
/// number is 0. There is no mask, which has no derivative.
TensorFile gradient_tensors(const Document& document, const attention::LayerGradient& gradient);

}  // namespace lab::files
