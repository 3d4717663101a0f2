#pragma once

#include <string>

#include "core/matrix_id.h"
#include "core/network/network.h"

namespace attention::network {

// The weights of an attention sublayer, one matrix per head and kind as a Problem has them, however
// they are stored: as columns of one fused matrix, or of one for all heads. In latent attention
// W_Q, W_K and W_V read X (see latent_input.h): what is stored of them stands in the rows of its
// part of X, other rows are 0, and W_K copies the rotary part of the keys.

/// The number of matrices of that kind: W_Q and b_Q one per query head, W_K, W_V, b_K and b_V one
/// per key and value head, W_O and b_O one, norm_Q and norm_K one where queries or keys are
/// normalised, sink one per query head where there are some; 0 for those that a network does not
/// have. In a layer that uses the keys and values of another one (Attention::key_layer) there are
/// no W_K, W_V, b_K, b_V and norm_K: they are matrices of that layer.
Index layer_matrix_count(const Attention& attention, MatrixId id);

/// Why such a matrix cannot be edited in a layer that uses the keys and values of another one, in a
/// sentence that names that layer; empty where it is a matrix of this layer.
std::string matrix_of_other_layer(const Attention& attention, MatrixId id);

/// The shape of each of them, as parameter_shape() has it. Precondition: there are some.
Shape layer_matrix_shape(const Attention& attention, MatrixId id);

/// The matrix of `head` (from 0) where it is stored; empty when it is an absent bias, a norm
/// without weights, which are all 1, or there is no such matrix. Of a norm that multiplies by 1 +
/// weight these sums, in separate memory, as are all of W_Q, W_K and W_V in latent attention.
StoredMatrix layer_matrix(const Attention& attention, MatrixId id, Index head);

/// Its numbers; those of an absent one are what is used in its place. Precondition: there is such a
/// matrix.
Matrix layer_matrix_values(const Attention& attention, MatrixId id, Index head);

/// True when both have the same numbers in the same place, as after an edit of another matrix; the
/// sublayers must be alike but for their weights.
bool same_layer_matrix(const Attention& a, const Attention& b, MatrixId id, Index head);

/// Replaces it by `values`, of layer_matrix_shape(). The stored matrix that it is a part of becomes
/// a float32 copy, or one of zeros when it was absent; a norm then multiplies by `values`
/// themselves. Throws std::invalid_argument, and changes nothing, when a number differs that latent
/// attention fixes. Precondition: there is such a matrix.
void set_layer_matrix(Attention& attention, MatrixId id, Index head, const Matrix& values);

}  // namespace attention::network
