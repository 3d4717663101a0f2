#include "core/network/row_functions.h"

#include <algorithm>
#include <optional>
#include <unsupported/Eigen/SpecialFunctions>

#include "core/layer/stages.h"
#include "core/numerics/kernels.h"

namespace attention::network {
namespace {

constexpr Index kRowsATask = 16;

template <typename Values>
void apply(Activation activation, Values x) {
  constexpr float kRootHalf = 0.70710678118654752f;     // 1 / √2
  constexpr float kRootTwoByPi = 0.79788456080286536f;  // √(2 / π)
  switch (activation) {
    case Activation::kGelu:
      x *= 0.5f * (1 + (x * kRootHalf).erf());
      return;
    case Activation::kGeluTanh:
      // x / 2 (1 + tanh(u)) = x σ(2 u), which does not cancel where u is far below 0.
      x /= 1 + (-2 * kRootTwoByPi * (x + 0.044715f * x.cube())).exp();
      return;
    case Activation::kGeluSigmoid:
      x /= 1 + (-1.702f * x).exp();
      return;
    case Activation::kGeluClipped:
      x = (0.5f * x * (1 + (x * kRootHalf).erf())).min(10.0f);
      return;
    case Activation::kRelu:
      x = x.max(0.0f);
      return;
    case Activation::kRelu6:
      x = x.max(0.0f).min(6.0f);
      return;
    case Activation::kReluSquared:
      x = x.max(0.0f).square();
      return;
    case Activation::kReluLeaky:
      x = x.max(0.01f * x);
      return;
    case Activation::kSilu:
      x /= 1 + (-x).exp();
      return;
    case Activation::kSiluHard:
      x *= (x + 3).max(0.0f).min(6.0f) / 6;
      return;
    case Activation::kMish:
      x *= x.exp().log1p().tanh();
      return;
    case Activation::kSigmoid:
      x = 1 / (1 + (-x).exp());
      return;
    case Activation::kTanh:
      x = x.tanh();
      return;
    case Activation::kIdentity:
      return;
  }
}

// With at most this many rows, stored numbers are read anew for each instead of being widened into
// a matrix, which would be larger than the caches.
constexpr Index kRowsOfPacked = 4;

std::optional<Packing> packing_of(StoredFormat format) {
  switch (format) {
    case StoredFormat::kFloat16:
      return Packing::kFloat16;
    case StoredFormat::kBFloat16:
      return Packing::kBFloat16;
    case StoredFormat::kQ4_0:
      return Packing::kQ4_0;
    case StoredFormat::kQ4_1:
      return Packing::kQ4_1;
    case StoredFormat::kQ8_0:
      return Packing::kQ8_0;
    case StoredFormat::kQ4_K:
      return Packing::kQ4_K;
    case StoredFormat::kQ6_K:
      return Packing::kQ6_K;
    default:
      return std::nullopt;
  }
}

// True for products whose stored rows, the columns of W, are read one by one.
bool reads_row_by_row(Index rows, const StoredMatrix& W) {
  return rows <= kRowsOfPacked && W.is_transposed() && W.in_place() == nullptr;
}

// rows times each of the rows of `packed`.
void multiply_packed(const MatrixView& rows, const PackedRows& packed, MatrixSlot result) {
  for (Index i = 0; i < rows.rows(); ++i)
    kernels().multiply_packed(rows.row(i).data(), packed, result.row(i).data());
}

// rows W, of which a few columns at a time are widened where they cannot be used as they are.
void multiply_row_by_row(const MatrixView& rows, const StoredMatrix& W, MatrixSlot result) {
  const auto packing = packing_of(W.format());
  if (const std::byte* blocks = packing ? W.blocks_in_place() : nullptr) {
    const StoredFormatInfo& info = stored_format_info(W.format());
    const Index stride = W.stride() / info.block * static_cast<Index>(info.bytes);
    const auto* const data = reinterpret_cast<const unsigned char*>(blocks);
    return multiply_packed(rows, {*packing, data, W.cols(), W.rows(), stride}, result);
  }
  constexpr Index kWidened = 1 << 13;  // numbers, which fit into a first-level cache
  const Index depth = W.rows(), each = std::max<Index>(1, kWidened / depth);
  Matrix widened(std::min(each, W.cols()), depth);
  for (Index first = 0; first < W.cols(); first += each) {
    const Index count = std::min(each, W.cols() - first);
    W.columns(first, count).transposed().read(widened.topRows(count));
    const auto* const data = reinterpret_cast<const unsigned char*>(widened.data());
    const Index stride = depth * static_cast<Index>(sizeof(float));
    multiply_packed(rows, {Packing::kFloat32, data, count, depth, stride},
                    result.middleCols(first, count));
  }
}

// How many columns of the result a thread computes at a time. Each part packs the rows anew, so
// wide results of many rows are computed in larger parts, as long as there are several for every
// thread. The same for any number of threads, so that the result is.
Index columns_a_task(Index rows, const StoredMatrix& W) {
  constexpr Index kDefault = 192, kManyRows = 64, kWide = 1536;
  constexpr Index kStored = 1 << 16, kLeastColumns = 16;  // of a task that reads row by row
  if (reads_row_by_row(rows, W)) return std::max(kLeastColumns, kStored / W.rows());
  return rows >= kManyRows && W.cols() >= kWide ? 2 * kDefault : kDefault;
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
  if (reads_row_by_row(rows.rows(), W)) return multiply_row_by_row(rows, W, result);
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
  const Index each = columns_a_task(result.rows(), linear.W);
  pool.run((columns + each - 1) / each, [&](Index task) {
    const Index first = task * each;
    const Index count = std::min(each, columns - first);
    auto part = result.middleCols(first, count);
    multiply(linear.W.columns(first, count), part);
    if (bias.size() > 0) part.rowwise() += bias.row(0).segment(first, count);
  });
}

}  // namespace

Matrix norm_weight(const Norm& norm) {
  Matrix weight = norm.weight.values();
  if (norm.weight_plus_one) weight.array() += 1;
  return weight;
}

void normalise(const Norm& norm, MatrixSlot rows) {
  const Matrix weight = norm_weight(norm), bias = norm.bias.values();
  if (norm.type == NormType::kLayer) return normalise_rows(rows, weight, bias, norm.epsilon, rows);
  normalise_by_rms(rows, weight, norm.epsilon, rows);
  if (bias.size() > 0) rows.rowwise() += bias.row(0);
}

void normalise(const Norm& norm, MatrixSlot rows, ThreadPool& pool) {
  pool.run((rows.rows() + kRowsATask - 1) / kRowsATask, [&](Index task) {
    const Index first = task * kRowsATask;
    normalise(norm, rows.middleRows(first, std::min(kRowsATask, rows.rows() - first)));
  });
}

void activate(Activation activation, MatrixSlot values) {
  for (Index i = 0; i < values.rows(); ++i) apply(activation, values.row(i).array());
}

void apply_clamped_gate(const ClampedGate& clamped, const MatrixView& up, MatrixSlot gate) {
  for (Index i = 0; i < gate.rows(); ++i) {
    auto g = gate.row(i).array();
    g = g.min(clamped.limit);
    g *= (up.row(i).array().max(-clamped.limit).min(clamped.limit) + 1) /
         (1 + (-clamped.alpha * g).exp());
  }
}

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

Matrix projected_layer_inputs(const LayerInputs& inputs, const MatrixView& rows, ThreadPool& pool) {
  Matrix result = project(rows, inputs.projection, Precision::kSingle, pool);
  if (inputs.projection_scale != 1) result *= inputs.projection_scale;
  const Index width = inputs.width();
  for (Index layer = 0; layer < inputs.layers; ++layer)
    normalise(inputs.norm, result.middleCols(layer * width, width));
  return result;
}

}  // namespace attention::network
