#include "core/network/product.h"

#include <algorithm>

#include "core/numerics/kernels.h"

namespace attention::network {
namespace {

// How many columns of the result a thread computes at a time. Each part packs the rows anew, so
// wide results of many rows are computed in larger parts, as long as there are several for every
// thread. The same for any number of threads, so that the result is.
Index columns_a_task(Index rows, Index columns) {
  constexpr Index kDefault = 192, kManyRows = 64, kWide = 1536;
  return rows >= kManyRows && columns >= kWide ? 2 * kDefault : kDefault;
}

// rows · numbers, or rows · numbersᵀ when the numbers are those of the transposed matrix.
void multiply(const MatrixView& rows, const ConstBlock& numbers, bool transposed,
              MatrixSlot result) {
  if (transposed) {
    kernels().multiply_transposed(block_of(rows), numbers, slot_of(result));
  } else {
    kernels().multiply(block_of(rows), numbers, nullptr, slot_of(result));
  }
}

// rows W for a part of the columns of W.
void multiply(const MatrixView& rows, const StoredMatrix& W, const MatrixSlot& result) {
  const StoredMatrix stored = W.is_transposed() ? W.transposed() : W;
  if (const float* data = stored.in_place()) {
    multiply(rows, {data, stored.rows(), stored.cols(), stored.stride()}, W.is_transposed(),
             result);
  } else {
    const Matrix widened = stored.values();
    multiply(rows, block_of(widened), W.is_transposed(), result);
  }
}

// Calls `multiply(W, part)` for parts of the columns of W and of the result, and adds the bias.
template <typename Multiply>
void project_parts(const Linear& linear, ThreadPool& pool, MatrixSlot result, Multiply multiply) {
  const Index columns = linear.W.cols();
  const Matrix bias = linear.b.values();
  const Index each = columns_a_task(result.rows(), columns);
  pool.run((columns + each - 1) / each, [&](Index task) {
    const Index first = task * each;
    const Index count = std::min(each, columns - first);
    auto part = result.middleCols(first, count);
    multiply(linear.W.columns(first, count), part);
    if (bias.size() > 0) part.rowwise() += bias.row(0).segment(first, count);
  });
}

}  // namespace

void project(const MatrixView& rows, const Linear& linear, Precision precision, ThreadPool& pool,
             const MatrixSlot& result) {
  if (precision == Precision::kSingle) {
    project_parts(linear, pool, result,
                  [&](const StoredMatrix& W, const MatrixSlot& part) { multiply(rows, W, part); });
  } else {
    const Eigen::MatrixXd precise = rows.cast<double>();
    project_parts(linear, pool, result, [&](const StoredMatrix& W, MatrixSlot part) {
      part = (precise * W.values().cast<double>()).cast<float>();
    });
  }
}

Matrix project(const MatrixView& rows, const Linear& linear, Precision precision,
               ThreadPool& pool) {
  Matrix result(rows.rows(), linear.W.cols());
  project(rows, linear, precision, pool, result);
  return result;
}

}  // namespace attention::network
