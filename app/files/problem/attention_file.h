#pragma once

#include <string>
#include <vector>

#include "app/base/error.h"
#include "app/document/document.h"
#include "app/files/import/csv.h"
#include "app/files/problem/multihead_file.h"
#include "app/files/tensors/tensors.h"

// Attention weights that were computed elsewhere, such as those that a transformer returns:
// [n_heads × n × n], or [n_heads × n × m] where queries and keys are different tokens, also with
// dimensions of 1 before, [layers × n_heads × n × n], or [n × n] of one head. They become a
// document whose own arithmetic gives them back: X holds one 1 in each row, W_K is the identity,
// and W_Q holds the logarithms of the weights, which softmax turns into the weights. V is the
// identity too, so that the output is the mean of the heads.

namespace lab::files {

/// True when the numbers look like the weights of one head: square, none below 0, rows that sum to
/// 1, or are all 0 or NaN, as PyTorch returns those of a query that may attend to nothing.
bool is_attention(const attention::Matrix& values);
/// The same for a table of queries and keys, which need not be as many, with labels on both sides.
bool is_cross_attention(const LabelledTable& table);

/// True when the file holds such weights and is not a problem: a tensor called attention,
/// attentions, attention_weights, attn, attn_weights or weights, or else the only one that holds
/// weights of several heads, the only tensor of three dimensions or more, whatever its shape, or
/// the arrays arr_0, arr_1 … of layers.
bool holds_attention(const TensorFile& file);

/// A document whose weights are those in the file, with the metadata tokens (and kv_tokens) as
/// words, else their numbers. Of several layers, `choice.layer` is the number, from 1, else the
/// first is taken. Adds to `notes` what a person should know. Fails with kBadInput and what is
/// wrong.
Expected<Document> document_from_attention(const TensorFile& file, std::string title,
                                           const MultiheadChoice& choice,
                                           std::vector<std::string>& notes);

/// The same for the table of one head; its labels are the words.
Expected<Document> document_from_attention_table(LabelledTable table, std::string title,
                                                 std::vector<std::string>& notes);

}  // namespace lab::files
