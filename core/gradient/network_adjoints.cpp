#include "core/gradient/network_adjoints.h"

#include <cmath>
#include <span>
#include <unsupported/Eigen/SpecialFunctions>

#include "core/gradient/adjoints.h"
#include "core/network/block_pass.h"
#include "core/network/convolution/short_convolution.h"
#include "core/network/experts.h"
#include "core/network/latent_input.h"
#include "core/network/row_functions.h"

namespace attention::network {
namespace {

// `matrix` with that shape, all 0, unless it has it already; as it is when it is not requested.
Matrix& zeroed_if(bool requested, Matrix& matrix, Index rows, Index cols) {
  if (requested && matrix.size() == 0) matrix.setZero(rows, cols);
  return matrix;
}

using Values = Eigen::ArrayXXf;

Values sigmoid(const Values& x) { return 1 / (1 + (-x).exp()); }

Values gelu_slopes(const Values& x) {
  constexpr float kRootHalf = 0.70710678118654752f;        // 1 / √2
  constexpr float kOneByRootTwoPi = 0.39894228040143268f;  // 1 / √(2 π)
  return 0.5f * (1 + (x * kRootHalf).erf()) + x * kOneByRootTwoPi * (-0.5f * x.square()).exp();
}

Values gelu_tanh_slopes(const Values& x) {
  constexpr float kRootTwoByPi = 0.79788456080286536f;  // √(2 / π)
  const Values tanh = (kRootTwoByPi * (x + 0.044715f * x.cube())).tanh();
  return 0.5f * (1 + tanh) +
         0.5f * x * (1 - tanh.square()) * kRootTwoByPi * (1 + 0.134145f * x.square());
}

// Of x σ(factor · x).
Values silu_slopes(const Values& x, float factor) {
  const Values s = sigmoid(factor * x);
  return s * (1 + factor * x * (1 - s));
}

Values mish_slopes(const Values& x) {
  const Values tanh = x.exp().log1p().tanh();
  return tanh + x * (1 - tanh.square()) * sigmoid(x);
}

// f′ of each number.
Values slopes(Activation activation, const Values& x) {
  switch (activation) {
    case Activation::kGelu:
      return gelu_slopes(x);
    case Activation::kGeluTanh:
      return gelu_tanh_slopes(x);
    case Activation::kGeluSigmoid:
      return silu_slopes(x, 1.702f);
    case Activation::kGeluClipped:
      return (x < 10.0f).cast<float>() * gelu_slopes(x);
    case Activation::kRelu:
      return (x > 0.0f).cast<float>();
    case Activation::kRelu6:
      return (x > 0.0f && x < 6.0f).cast<float>();
    case Activation::kReluSquared:
      return 2 * x.max(0.0f);
    case Activation::kReluLeaky:
      return 0.01f + 0.99f * (x > 0.0f).cast<float>();
    case Activation::kSilu:
      return silu_slopes(x, 1);
    case Activation::kSiluHard:
      return (x > -3.0f && x < 3.0f).cast<float>() * (2 * x + 3) / 6 + (x >= 3.0f).cast<float>();
    case Activation::kMish:
      return mish_slopes(x);
    case Activation::kSigmoid:
      return sigmoid(x) * (1 - sigmoid(x));
    case Activation::kTanh:
      return 1 - x.tanh().square();
    case Activation::kIdentity:
      return Values::Ones(x.rows(), x.cols());
  }
  return {};
}

}  // namespace

void linear_adjoint(const Linear& linear, const Matrix& rows, const Matrix& d, Matrix& d_rows,
                    LinearGradient& gradient) {
  const Matrix W = linear.W.values();
  project_adjoint(rows, W, d, zeroed_if(true, d_rows, rows.rows(), rows.cols()),
                  zeroed_if(true, gradient.W, W.rows(), W.cols()),
                  zeroed_if(!linear.b.empty(), gradient.b, 1, W.cols()));
}

void norm_adjoint(const Norm& norm, const Matrix& rows, const Matrix& d, Matrix& d_rows,
                  NormGradient& gradient) {
  const Matrix weight = norm_weight(norm);
  Matrix& to = zeroed_if(true, d_rows, rows.rows(), rows.cols());
  Matrix& d_weight = zeroed_if(weight.size() > 0, gradient.weight, 1, rows.cols());
  Matrix& d_bias = zeroed_if(!norm.bias.empty(), gradient.bias, 1, rows.cols());
  if (norm.type == NormType::kLayer)
    return normalise_rows_adjoint(rows, weight, norm.epsilon, d, to, d_weight, d_bias);
  normalise_by_rms_adjoint(rows, weight, norm.epsilon, d, to, d_weight);
  if (d_bias.size() > 0) d_bias += d.colwise().sum();
}

namespace {

void compressed_adjoint(const CompressedRow& row, const Matrix& rows, const Matrix& d,
                        ThreadPool& pool, Matrix& d_rows, CompressedGradient& gradient) {
  const Matrix down = project(rows, row.down, Precision::kSingle, pool);
  Matrix d_down = d, d_compressed;
  norm_adjoint(row.norm, down.leftCols(row.rank), d.leftCols(row.rank), d_compressed,
               gradient.norm);
  d_down.leftCols(row.rank) = d_compressed;
  linear_adjoint(row.down, rows, d_down, d_rows, gradient.down);
}

}  // namespace

void latent_adjoint(const Attention& attention, const Matrix& rows, const Matrix& d,
                    ThreadPool& pool, Matrix& d_rows, LatentGradient& gradient) {
  const auto& [query, key_value] = *attention.latent;
  const Index of_queries = input_parts(attention)->query;
  const Matrix d_query = d.leftCols(of_queries);
  if (query)
    compressed_adjoint(*query, rows, d_query, pool, d_rows, gradient.query);
  else
    zeroed_if(true, d_rows, rows.rows(), rows.cols()) += d_query;
  compressed_adjoint(key_value, rows, d.rightCols(d.cols() - of_queries), pool, d_rows,
                     gradient.key_value);
}

Matrix activation_adjoint(Activation activation, const Matrix& values, const Matrix& d) {
  return (d.array() * slopes(activation, values.array())).matrix();
}

namespace {

// Of an MLP with a clamped gate.
void clamped_adjoint(const Mlp& mlp, const Matrix& rows, const Matrix& d, ThreadPool& pool,
                     Matrix& d_rows, MlpGradient& gradient) {
  const auto [limit, alpha] = *mlp.clamped;
  const Matrix gate = project(rows, *mlp.gate, Precision::kSingle, pool);
  const Matrix up = project(rows, mlp.up, Precision::kSingle, pool);
  Matrix inner = gate, d_inner;
  apply_clamped_gate(*mlp.clamped, up, inner);
  linear_adjoint(mlp.down, inner, d, d_inner, gradient.down);
  const Values g = gate.array().min(limit), u = up.array().max(-limit).min(limit);
  const Matrix d_up =
      (up.array().abs() <= limit).select(d_inner.array() * g * sigmoid(alpha * g), 0);
  const Matrix d_gate =
      (gate.array() <= limit).select(d_inner.array() * (u + 1) * silu_slopes(g, alpha), 0);
  linear_adjoint(mlp.up, rows, d_up, d_rows, gradient.up);
  linear_adjoint(*mlp.gate, rows, d_gate, d_rows, gradient.gate);
}

}  // namespace

void mlp_adjoint(const Mlp& mlp, const Matrix& rows, const Matrix& d, ThreadPool& pool,
                 Matrix& d_rows, MlpGradient& gradient) {
  if (mlp.clamped) return clamped_adjoint(mlp, rows, d, pool, d_rows, gradient);
  const Matrix before = project(rows, mlp.gate ? *mlp.gate : mlp.up, Precision::kSingle, pool);
  Matrix active = before;
  activate(mlp.activation, active);
  Matrix up, inner = active;
  if (mlp.gate) {
    up = project(rows, mlp.up, Precision::kSingle, pool);
    inner.array() *= up.array();
  }
  Matrix d_inner;
  linear_adjoint(mlp.down, inner, d, d_inner, gradient.down);
  if (mlp.gate) {
    const Matrix d_up = d_inner.cwiseProduct(active);
    linear_adjoint(mlp.up, rows, d_up, d_rows, gradient.up);
    d_inner.array() *= up.array();
  }
  linear_adjoint(mlp.gate ? *mlp.gate : mlp.up, rows,
                 activation_adjoint(mlp.activation, before, d_inner), d_rows,
                 mlp.gate ? gradient.gate : gradient.up);
}

namespace {

// From the shares of the chosen experts of a row to what the router gave; `shares` are those of
// all.
RowVector logits_adjoint(const Experts& experts, const RowVector& shares,
                         std::span<const Index> chosen, const RowVector& d_shares) {
  float sum = experts.added_to_sum, along = 0;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    sum += shares(chosen[i]);
    along += shares(chosen[i]) * d_shares(static_cast<Index>(i));
  }
  RowVector d = RowVector::Zero(shares.size());  // by the shares of all experts
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const float d_share = d_shares(static_cast<Index>(i)) * experts.factor;
    d(chosen[i]) = experts.normalised ? (d_share - along * experts.factor / sum) / sum : d_share;
  }
  if (experts.shares == ExpertShares::kSigmoid)
    return (d.array() * shares.array() * (1 - shares.array())).matrix();
  return (shares.array() * (d.array() - d.dot(shares))).matrix();
}

// Takes the scales of the experts out of d(number) / d(shares), and adds to those of the scales.
void scales_adjoint(const Experts& experts, const Routing& routing, Matrix& d_shares,
                    Matrix& d_scales) {
  if (experts.scales.empty()) return;
  const Matrix scales = experts.scales.values();
  zeroed_if(true, d_scales, 1, scales.cols());
  for (Index row = 0; row < d_shares.rows(); ++row) {
    for (Index i = 0; i < d_shares.cols(); ++i) {
      const Index expert = routing.chosen[static_cast<std::size_t>(row * d_shares.cols() + i)];
      const float scale = scales(0, expert);
      if (scale != 0) d_scales(0, expert) += d_shares(row, i) * routing.shares(row, i) / scale;
      d_shares(row, i) *= scale;
    }
  }
}

// Of experts that read `rows` and a router that reads `routed`.
void experts_adjoint(const Experts& experts, const Matrix& routed, const Matrix& rows,
                     const Matrix& d, ThreadPool& pool, Matrix& d_routed, Matrix& d_rows,
                     ExpertsGradient& gradient) {
  const Routing routing = route(experts, routed, pool);
  Matrix d_shares = Matrix::Zero(routing.shares.rows(), routing.shares.cols());
  gradient.experts.resize(experts.experts.size());
  for (std::size_t expert = 0; expert < experts.experts.size(); ++expert) {
    const RoutedRows sent = rows_of_expert(routing, static_cast<Index>(expert));
    if (sent.rows.empty()) continue;
    const Matrix given = sent.of(rows);
    const Matrix output = compute_mlp(experts.experts[expert], given, Precision::kSingle, pool);
    Matrix d_output = sent.of(d);
    for (std::size_t i = 0; i < sent.rows.size(); ++i) {
      const auto row = static_cast<Index>(i);
      d_shares(sent.rows[i], sent.choices[i]) = d_output.row(row).dot(output.row(row));
      d_output.row(row) *= routing.shares(sent.rows[i], sent.choices[i]);
    }
    Matrix d_given;
    mlp_adjoint(experts.experts[expert], given, d_output, pool, d_given, gradient.experts[expert]);
    for (std::size_t i = 0; i < sent.rows.size(); ++i)
      d_rows.row(sent.rows[i]) += d_given.row(static_cast<Index>(i));
  }
  scales_adjoint(experts, routing, d_shares, gradient.scales);
  Matrix d_logits(routing.logits.rows(), routing.logits.cols());
  const Matrix shares = expert_shares(experts, routing.logits);
  const auto choices = static_cast<std::size_t>(experts.chosen);
  for (Index row = 0; row < d_logits.rows(); ++row)
    d_logits.row(row) = logits_adjoint(
        experts, shares.row(row),
        std::span(routing.chosen).subspan(static_cast<std::size_t>(row) * choices, choices),
        d_shares.row(row));
  linear_adjoint(experts.router, routed, d_logits, d_routed, gradient.router);
}

// Of experts with norms of their own; returns d(number) / d(output of the MLP beside them).
Matrix normed_experts_adjoint(const Block& block, const FeedForwardRows& read, const Matrix& d,
                              ThreadPool& pool, ExpertsGradient& gradient) {
  const Experts& experts = *block.experts;
  const auto& [router, before, after, beside] = *experts.norms;
  const Matrix routed = normalised(router, read.stream), rows = normalised(before, read.stream);
  const Matrix outputs =
      expert_outputs(experts, route(experts, routed, pool), rows, Precision::kSingle, pool);
  Matrix d_outputs, d_routed, d_mlp;
  Matrix d_rows = Matrix::Zero(rows.rows(), rows.cols());
  norm_adjoint(after, outputs, d, d_outputs, gradient.norms.after);
  experts_adjoint(experts, routed, rows, d_outputs, pool, d_routed, d_rows, gradient);
  norm_adjoint(router, read.stream, d_routed, read.d_stream, gradient.norms.router);
  norm_adjoint(before, read.stream, d_rows, read.d_stream, gradient.norms.before);
  norm_adjoint(beside, compute_mlp(block.mlp, read.rows, Precision::kSingle, pool), d, d_mlp,
               gradient.norms.beside);
  return d_mlp;
}

}  // namespace

void feed_forward_adjoint(const Block& block, const FeedForwardRows& read, const Matrix& d,
                          ThreadPool& pool, MlpGradient& mlp, ExpertsGradient& experts) {
  Matrix d_mlp = d;
  const Matrix& rows = read.rows;
  if (block.experts && block.experts->norms) {
    d_mlp = normed_experts_adjoint(block, read, d, pool, experts);
  } else if (block.experts) {
    read.d_rows = Matrix::Zero(rows.rows(), rows.cols());
    if (block.experts->shared_gate) {
      const Linear& gate = *block.experts->shared_gate;
      const Matrix output = compute_mlp(block.mlp, rows, Precision::kSingle, pool);
      const Matrix before = project(rows, gate, Precision::kSingle, pool);
      d_mlp.array().colwise() *= sigmoid(before.array()).col(0);
      const Matrix d_open = (d.array() * output.array()).rowwise().sum().matrix();
      linear_adjoint(gate, rows, activation_adjoint(Activation::kSigmoid, before, d_open),
                     read.d_rows, experts.shared_gate);
    }
    experts_adjoint(*block.experts, rows, rows, d, pool, read.d_rows, read.d_rows, experts);
  }
  if (!block.mlp.absent()) mlp_adjoint(block.mlp, rows, d_mlp, pool, read.d_rows, mlp);
}

void finish_adjoint(const Block& block, const Matrix& rows, const Matrix& input, const Matrix& d,
                    ThreadPool& pool, Matrix& d_rows, Matrix& d_input,
                    InputGateGradient& gradient) {
  const Matrix d_sum = block.factor * d;
  zeroed_if(true, d_rows, rows.rows(), rows.cols()) += d_sum;
  if (!block.input_gate) return;
  const InputGate& gate = *block.input_gate;
  const Matrix before = project(rows, gate.gate, Precision::kSingle, pool);
  Matrix active = before;
  activate(gate.activation, active);
  const Matrix inner = active.cwiseProduct(input);
  Matrix d_added, d_inner;
  norm_adjoint(gate.norm, project(inner, gate.projection, Precision::kSingle, pool), d_sum, d_added,
               gradient.norm);
  linear_adjoint(gate.projection, inner, d_added, d_inner, gradient.projection);
  zeroed_if(true, d_input, input.rows(), input.cols()) += d_inner.cwiseProduct(active);
  linear_adjoint(gate.gate, rows,
                 activation_adjoint(gate.activation, before, d_inner.cwiseProduct(input)), d_rows,
                 gradient.gate);
}

void layer_inputs_adjoint(const LayerInputs& inputs, const Matrix& rows, const Matrix& d,
                          ThreadPool& pool, Matrix& d_rows, LayerInputsGradient& gradient) {
  const Index width = inputs.width();
  const Matrix projected =
      inputs.projection_scale * project(rows, inputs.projection, Precision::kSingle, pool);
  Matrix d_projected(d.rows(), d.cols());
  for (Index layer = 0; layer < inputs.layers; ++layer) {
    Matrix of_layer;
    norm_adjoint(inputs.norm, projected.middleCols(layer * width, width),
                 inputs.factor * d.middleCols(layer * width, width), of_layer, gradient.norm);
    d_projected.middleCols(layer * width, width) = inputs.projection_scale * of_layer;
  }
  linear_adjoint(inputs.projection, rows, d_projected, d_rows, gradient.projection);
}

namespace {

// Of mix_taps() for one text: adds to d_gated and to the gradients of kernel and bias.
void taps_adjoint(const ShortConvolution& convolution, const Matrix& gated, const Matrix& d,
                  Matrix& d_gated, ConvolutionGradient& gradient) {
  const Matrix kernel = convolution.kernel.values();
  const Index n = gated.rows(), taps = kernel.cols();
  d_gated.setZero(n, gated.cols());
  zeroed_if(true, gradient.kernel, kernel.rows(), taps);
  for (Index k = 0; k < taps; ++k) {
    const Index back = taps - 1 - k, there = n - back;  // rows that have one so far before them
    if (there <= 0) continue;
    const auto later = d.bottomRows(there);
    const auto earlier = gated.topRows(there);
    d_gated.topRows(there) += later * kernel.col(k).asDiagonal();
    gradient.kernel.col(k) += later.cwiseProduct(earlier).colwise().sum().transpose();
  }
  if (!convolution.bias.empty())
    zeroed_if(true, gradient.bias, 1, gated.cols()) += d.colwise().sum();
}

}  // namespace

void convolution_adjoint(const ShortConvolution& convolution, const Matrix& rows, const Matrix& d,
                         ThreadPool& pool, Matrix& d_rows, ConvolutionGradient& gradient) {
  const Index width = convolution.width();
  const Matrix all = project(rows, convolution.in, Precision::kSingle, pool);
  const auto b = all.leftCols(width), c = all.middleCols(width, width), v = all.rightCols(width);
  const Matrix gated = b.cwiseProduct(v);
  const Matrix mixed = mix_taps(convolution, gated, 0, pool);
  Matrix d_product, d_gated, d_all(all.rows(), all.cols());
  linear_adjoint(convolution.out, mixed.cwiseProduct(c), d, d_product, gradient.out);
  taps_adjoint(convolution, gated, d_product.cwiseProduct(c), d_gated, gradient);
  d_all.leftCols(width) = d_gated.cwiseProduct(v);
  d_all.middleCols(width, width) = d_product.cwiseProduct(mixed);
  d_all.rightCols(width) = d_gated.cwiseProduct(b);
  linear_adjoint(convolution.in, rows, d_all, d_rows, gradient.in);
}

}  // namespace attention::network
