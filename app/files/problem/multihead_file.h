#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/base/error.h"
#include "app/document/document.h"
#include "app/files/tensors/tensors.h"

// The weights of PyTorch's nn.MultiheadAttention, as its state_dict() names them: in_proj_weight
// [3·E × E], in_proj_bias [3·E], out_proj.weight [E × E], out_proj.bias [E], E being embed_dim; or
// q_proj_weight, k_proj_weight and v_proj_weight [E × E]. Rows of all of them are outputs, those of
// queries before those of keys and values, and head h has rows h · E / n_heads on. In the state of
// a model the name of the layer stands before them, "encoder.layers.0.self_attn.".

namespace lab::files {

/// What such a file leaves open.
struct MultiheadChoice {
  std::optional<int>
      heads;          ///< how many; nothing: what the metadata num_heads or n_heads say, else
                      ///< heads of 64 numbers, else the most of 8, 4, 2, 1 that E allows
  std::string layer;  ///< which of several; empty: the first
};

/// True when the file holds such weights.
bool holds_multihead(const TensorFile& file);

/// A document with these weights, heads as columns of one matrix, and a sentence of its own. Tells
/// `notes` which layer and how many heads were taken where the file leaves it open. Fails with
/// kBadInput naming the tensor, what it is and what it should be, or what cannot be held: bias_k
/// and bias_v, keys and values of another width than E.
Expected<Document> document_from_multihead(const TensorFile& file, std::string title,
                                           const MultiheadChoice& choice,
                                           std::vector<std::string>& notes);

/// The weights of `document` under these names, metadata num_heads beside them. Where some biases
/// are there, those that are not are 0. Fails with kBadInput saying why where such a layer has
/// other sizes: its heads make up d_model, d_out is d_model, keys and values are not shared.
Expected<TensorFile> multihead_tensors(const Document& document);

}  // namespace lab::files
