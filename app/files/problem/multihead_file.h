#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/base/error.h"
#include "app/document/document.h"
#include "app/files/tensors/tensors.h"

// The weights of the PyTorch class nn.MultiheadAttention, as its state_dict() names them:
// in_proj_weight [3·E × E], in_proj_bias [3·E], out_proj.weight [E × E], out_proj.bias [E], where E
// is embed_dim; or q_proj_weight [E × E], k_proj_weight [E × kdim] and v_proj_weight [E × vdim].
// Rows are outputs, those of queries before those of keys and values, and head h starts at row h ·
// E / n_heads. In the state of a whole model the names have the name of the layer as a prefix,
// "encoder.layers.0.self_attn.".

namespace lab::files {

/// Choices that such a file leaves open.
struct MultiheadChoice {
  std::optional<int> heads;  ///< how many; unset: what the metadata num_heads or n_heads say, else
                             ///< heads of 64 numbers, else the most of 8, 4, 2, 1 that E allows
  std::string layer;         ///< which of several; empty: the first
};

/// True when the file holds such weights.
bool holds_multihead(const TensorFile& file);

/// A document with these weights, split into heads by columns, and a separate sentence. Adds to
/// `notes` which layer and how many heads were chosen where the file leaves it open. Fails with
/// kBadInput naming the tensor, what it is and what it should be, or what is not supported: bias_k
/// and bias_v.
///
/// With kdim or vdim, keys and values come from a second sentence. As every embedding has d_model
/// numbers here, d_model is the largest width that is needed, and the rows of W_Q, W_K and W_V for
/// numbers that PyTorch does not read are 0: queries use the first E numbers, keys the first kdim,
/// values the first vdim, or the vdim after those of the keys where kdim and vdim differ.
Expected<Document> document_from_multihead(const TensorFile& file, std::string title,
                                           const MultiheadChoice& choice,
                                           std::vector<std::string>& notes);

/// The weights of `document` under these names, with the metadata num_heads. When only some biases
/// are present, the others are written as 0. Fails with kBadInput and the reason when such a layer
/// cannot have these sizes: n_heads · d_k must be d_model, d_out must be d_model, and keys and
/// values must not be shared.
Expected<TensorFile> multihead_tensors(const Document& document);

}  // namespace lab::files
