#include "core/network/encoders/added_convolution.h"

#include <algorithm>
#include <cstdlib>

#include "core/network/row_functions.h"

namespace attention::network {
namespace {

// The rows of a text that a tap reads, and those that it gives to: row `to` + i gets from `from` +
// i.
struct TapRows {
  Index from, to, count;
};

TapRows rows_of_tap(const AddedConvolution& convolution, std::size_t tap, Index n) {
  const Index shift = static_cast<Index>(tap) - static_cast<Index>(convolution.taps.size() / 2);
  return {std::max<Index>(shift, 0), std::max<Index>(-shift, 0),
          std::max<Index>(n - std::abs(shift), 0)};
}

// The features of a group.
struct Group {
  Index first, count;
};

std::vector<Group> groups_of(const AddedConvolution& convolution, Index d_model) {
  std::vector<Group> groups;
  const Index count = d_model / convolution.groups;
  for (Index group = 0; group < convolution.groups; ++group)
    groups.push_back({group * count, count});
  return groups;
}

}  // namespace

Matrix convolved(const AddedConvolution& convolution, const Matrix& x, Index text_rows,
                 ThreadPool& pool) {
  const Index n = text_rows > 0 ? text_rows : x.rows();
  Matrix result(x.rows(), x.cols());
  if (convolution.bias.empty())
    result.setZero();
  else
    result.rowwise() = convolution.bias.values().row(0);
  for (std::size_t tap = 0; tap < convolution.taps.size(); ++tap) {
    const auto [from, to, count] = rows_of_tap(convolution, tap, n);
    if (count == 0) continue;
    for (const auto& [column, width] : groups_of(convolution, x.cols())) {
      const Linear map{convolution.taps[tap].columns(column, width), {}};
      const Matrix given = project(x.middleCols(column, width), map, Precision::kSingle, pool);
      for (Index text = 0; text < x.rows(); text += n)
        result.block(text + to, column, count, width) += given.middleRows(text + from, count);
    }
  }
  return result;
}

void add_convolved(const AddedConvolution& convolution, const Matrix& x, Index text_rows,
                   ThreadPool& pool, Matrix& output) {
  Matrix added = convolved(convolution, x, text_rows, pool);
  activate(convolution.activation, added);
  output += added;
  normalise(convolution.norm, output, pool);
}

void convolved_adjoint(const AddedConvolution& convolution, const Matrix& x, const Matrix& d,
                       Matrix& d_x, std::vector<Matrix>& d_taps, Matrix& d_bias) {
  if (d_x.size() == 0) d_x.setZero(x.rows(), x.cols());
  if (d_bias.size() == 0) d_bias.setZero(1, x.cols());
  d_bias += d.colwise().sum();
  d_taps.resize(convolution.taps.size());
  for (std::size_t tap = 0; tap < d_taps.size(); ++tap) {
    const auto [from, to, count] = rows_of_tap(convolution, tap, x.rows());
    const Matrix weights = convolution.taps[tap].values();
    if (d_taps[tap].size() == 0) d_taps[tap].setZero(weights.rows(), weights.cols());
    if (count == 0) continue;
    for (const auto& [column, width] : groups_of(convolution, x.cols())) {
      const Matrix part = d.block(to, column, count, width);
      d_x.block(from, column, count, width) += part * weights.middleCols(column, width).transpose();
      d_taps[tap].middleCols(column, width) +=
          x.block(from, column, count, width).transpose() * part;
    }
  }
}

}  // namespace attention::network
