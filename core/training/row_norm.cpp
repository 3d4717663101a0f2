#include "core/training/row_norm.h"

#include <cmath>

namespace attention::training {
namespace {

using NormedRow = Eigen::Array<float, 1, Eigen::Dynamic, Eigen::RowMajor>;
using ConstNormedRow = Eigen::Map<const NormedRow>;

}  // namespace

void RowNorm::forward(const Matrix& x, const float* weight, const float* bias) {
  normal.resize(x.rows(), x.cols());
  rows.resize(x.rows(), x.cols());
  inverse.resize(x.rows());
  const ConstNormedRow w(weight, x.cols()), b(bias, x.cols());
  for (Index i = 0; i < x.rows(); ++i) {
    auto row = normal.row(i).array();
    row = x.row(i).array() - x.row(i).mean();
    const float variance = row.matrix().squaredNorm() / static_cast<float>(x.cols());
    inverse(i) = 1 / std::sqrt(variance + kNormEpsilon);
    row *= inverse(i);
    rows.row(i).array() = row * w + b;
  }
}

void RowNorm::backward(const Matrix& d_rows, const float* weight, Matrix& d_x, float* d_weight,
                       float* d_bias) const {
  const Index d = normal.cols();
  const ConstNormedRow w(weight, d);
  Eigen::Map<NormedRow> dw(d_weight, d), db(d_bias, d);
  dw.setZero();
  db.setZero();
  NormedRow g(d);
  for (Index i = 0; i < normal.rows(); ++i) {
    const auto row = normal.row(i).array();
    const auto d_row = d_rows.row(i).array();
    dw += d_row * row;
    db += d_row;
    g = d_row * w;
    const float mean = g.mean(), along = (g * row).mean();
    d_x.row(i).array() += (g - mean - along * row) * inverse(i);
  }
}

}  // namespace attention::training
