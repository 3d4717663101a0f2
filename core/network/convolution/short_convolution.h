#pragma once

#include "core/network/generation/row_buffer.h"
#include "core/network/network.h"
#include "core/numerics/thread_pool.h"

// The forward pass of a gated short convolution, see ShortConvolution.

namespace attention::network {

/// What a convolution computes of its rows before it mixes them.
struct ConvolutionParts {
  Matrix gated;  ///< [n × width()] b · v
  Matrix gate;   ///< [n × width()] c
};
/// Those of rows [n × d_model] that were normalised.
ConvolutionParts convolution_parts(const ShortConvolution& convolution, const MatrixView& rows,
                                   ThreadPool& pool);

/// The rows from `first_row` on of the sums over the taps, bias included: [n − first_row ×
/// width()], where `gated` has all rows. Where it holds several texts of `text_rows` rows each
/// below each other, none sees those of another; 0: it is one text.
Matrix mix_taps(const ShortConvolution& convolution, const MatrixView& gated, Index first_row,
                ThreadPool& pool, Index text_rows = 0);

/// What the convolution gives for the rows from `first_row` on, from those rows of what it reads.
/// Updates the same rows of `gated`, which is kept to compute only some of its rows again. Texts as
/// in mix_taps().
Matrix convolve(const ShortConvolution& convolution, const MatrixView& rows, Index first_row,
                ThreadPool& pool, RowBuffer& gated, Index text_rows = 0);

}  // namespace attention::network
