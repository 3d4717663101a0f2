#include "core/network/convolution/short_convolution.h"

#include <algorithm>

#include "core/network/row_functions.h"

namespace attention::network {
namespace {

// Tasks of a thread are blocks of rows.
constexpr Index kRowsOfTaps = 16;

}  // namespace

ConvolutionParts convolution_parts(const ShortConvolution& convolution, const MatrixView& rows,
                                   ThreadPool& pool) {
  const Index width = convolution.width();
  const Matrix all = project(rows, convolution.in, Precision::kSingle, pool);
  ConvolutionParts parts;
  parts.gated = all.leftCols(width).cwiseProduct(all.rightCols(width));
  parts.gate = all.middleCols(width, width);
  return parts;
}

Matrix mix_taps(const ShortConvolution& convolution, const MatrixView& gated, Index first_row,
                ThreadPool& pool, Index text_rows) {
  const Matrix taps = convolution.kernel.values().transpose();  // [taps × width]
  const Matrix bias = convolution.bias.values();
  const Index n = gated.rows() - first_row, text = text_rows > 0 ? text_rows : gated.rows();
  Matrix sums(n, gated.cols());
  pool.run((n + kRowsOfTaps - 1) / kRowsOfTaps, [&](Index task) {
    const Index end = std::min((task + 1) * kRowsOfTaps, n);
    for (Index i = task * kRowsOfTaps; i < end; ++i) {
      const Index row = first_row + i;
      auto sum = sums.row(i);
      if (bias.size() > 0)
        sum = bias.row(0);
      else
        sum.setZero();
      for (Index back = std::min(taps.rows() - 1, row % text); back >= 0; --back)
        sum.array() += taps.row(taps.rows() - 1 - back).array() * gated.row(row - back).array();
    }
  });
  return sums;
}

Matrix convolve(const ShortConvolution& convolution, const MatrixView& rows, Index first_row,
                ThreadPool& pool, RowBuffer& gated, Index text_rows) {
  const ConvolutionParts parts = convolution_parts(convolution, rows, pool);
  gated.resize(first_row, rows.rows(), convolution.width());
  gated.rows_from(first_row) = parts.gated;
  Matrix mixed = mix_taps(convolution, gated.view(), first_row, pool, text_rows);
  mixed.array() *= parts.gate.array();
  return project(mixed, convolution.out, Precision::kSingle, pool);
}

}  // namespace attention::network
