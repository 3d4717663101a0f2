#include "core/network/attribution.h"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "core/network/block_pass.h"
#include "core/network/head_sweep.h"
#include "core/network/row_functions.h"

namespace attention::network {
namespace {

using Eigen::VectorXd;

const Matrix& stream_before(const StackTrace& stack, std::size_t layer) {
  return *(layer < stack.blocks.size() ? stack.blocks[layer].input : stack.last);
}

void require_linear(const Network& network) {
  const bool read_out = network.read_out && !network.read_out->transform &&
                        !network.read_out->norm && network.read_out->cap == 0;
  bool blocks = !network.encoder;
  for (const Block& block : network.stack.blocks) {
    blocks = blocks && !block.added_convolution && !block.input_gate && block.factor == 1 &&
             !block.attention.key_layer;
    for (const SublayerNorms* norms : {&block.attention_norms, &block.mlp_norms})
      blocks = blocks && !norms->branch && !norms->after;
  }
  if (!read_out || !blocks)
    throw std::invalid_argument(
        "the logits of this network are not a sum of its heads' outputs: a norm, a cap or a second "
        "stack stands between them");
}

// The answer as a linear function of the last row of the residual stream, its norm held fixed:
// direction · stream + constant.
struct LogitFunction {
  VectorXd direction;
  double constant = 0;
};

VectorXd read_out_column(const ReadOut& read_out, std::uint32_t token) {
  const Matrix column = read_out.tokens.W.columns(token, 1).values();
  VectorXd result = column.col(0).cast<double>() * static_cast<double>(read_out.scale);
  if (!read_out.projection) return result;
  return read_out.projection->W.values().cast<double>() * result;
}

double read_out_bias(const ReadOut& read_out, std::uint32_t token) {
  if (read_out.tokens.b.empty()) return 0;
  return static_cast<double>(read_out.tokens.b.columns(token, 1).values()(0, 0));
}

// The answer by the normalised row.
LogitFunction read_out_function(const ReadOut& read_out, const Answer& answer) {
  LogitFunction f{read_out_column(read_out, answer.token), read_out_bias(read_out, answer.token)};
  if (!answer.minus) return f;
  f.direction -= read_out_column(read_out, *answer.minus);
  f.constant -= read_out_bias(read_out, *answer.minus);
  return f;
}

// The final norm of `row` as row ↦ (row − mean) · scale + bias, with the scale of this row.
LogitFunction logit_function(const Network& network, const RowVector& row, const Answer& answer) {
  LogitFunction f = read_out_function(*network.read_out, answer);
  if (!network.stack.final_norm) return f;
  const Norm& norm = *network.stack.final_norm;
  if (!norm.bias.empty()) f.constant += norm.bias.values().row(0).cast<double>().dot(f.direction);
  if (!norm.weight.empty()) {
    VectorXd weight = norm.weight.values().row(0).cast<double>();
    if (norm.weight_plus_one) weight.array() += 1;
    f.direction.array() *= weight.array();
  }
  const bool centred = norm.type == NormType::kLayer;
  VectorXd values = row.cast<double>();
  if (centred) values.array() -= values.mean();
  const double deviation =
      std::sqrt(values.squaredNorm() / static_cast<double>(values.size()) + norm.epsilon);
  if (centred) f.direction.array() -= f.direction.mean();
  f.direction /= deviation;
  return f;
}

// The outputs of all heads of a block at `row`, before W_O: [1 × n_heads · d_v].
RowVector concat_row(const BlockPass& pass, const Matrix& input, Index row) {
  const Attention& attention = pass.block.attention;
  Matrix rows = input;
  if (pass.block.attention_norms.before) normalise(*pass.block.attention_norms.before, rows);
  const LayerInterventions interventions{&pass.interventions, pass.at};
  Projected projected;
  update_projections(attention, rows, 0, interventions, pass.pool, projected);
  Matrix weights;
  return mix_heads(attention, projected, 0, interventions, pass.pool, weights).row(row);
}

double bias_part(const Linear& linear, const VectorXd& direction) {
  return linear.b.empty() ? 0 : linear.b.values().row(0).cast<double>().dot(direction);
}

// What overrides of the output of attention in `row` add to the logit, where `concat` is what it
// would be computed from.
double overridden_part(const BlockPass& pass, const RowVector& concat, Index row,
                       const VectorXd& direction) {
  const Linear& output = pass.block.attention.output;
  double sum = 0;
  for (const auto& [at, cell] : pass.interventions.overrides) {
    if (at != pass.at || cell.stage != Stage::kOutput || cell.row != row) continue;
    float computed = (concat * output.W.columns(cell.col, 1).values())(0, 0);
    if (!output.b.empty()) computed += output.b.columns(cell.col, 1).values()(0, 0);
    sum += static_cast<double>(cell.value - computed) * direction(cell.col);
  }
  return sum;
}

// The parts of the outputs of a block's heads; returns their sum.
double add_heads(const BlockPass& pass, const Matrix& input, Index row, const VectorXd& direction,
                 LogitAttribution& result) {
  const Attention& attention = pass.block.attention;
  const RowVector concat = concat_row(pass, input, row);
  const VectorXd through_output = attention.output.W.values().cast<double>() * direction;
  double all = 0;
  for (Index head = 0; head < attention.n_heads; ++head) {
    const Index d_v = attention.d_v(), first = head * d_v;
    const double part =
        concat.segment(first, d_v).cast<double>().dot(through_output.segment(first, d_v));
    result.heads(pass.at.layer, head) = static_cast<float>(part);
    all += part;
  }
  const double bias =
      bias_part(attention.output, direction) + overridden_part(pass, concat, row, direction);
  result.biases += bias;
  return all + bias;
}

// The part of what a convolution gives.
double add_convolution(const BlockPass& pass, const Matrix& input, Index row,
                       const VectorXd& direction, LogitAttribution& result) {
  const RowVector output = convolution_output(pass.block, input, pass.pool).row(row);
  result.heads.row(pass.at.layer).setConstant(std::numeric_limits<float>::quiet_NaN());
  result.convolutions.resize(static_cast<std::size_t>(result.heads.rows()));
  double& part = result.convolutions[static_cast<std::size_t>(pass.at.layer)];
  part = output.cast<double>().dot(direction);
  return part;
}

void add_block(const BlockPass& pass, const StackTrace& stack, Index row, const LogitFunction& f,
               LogitAttribution& result) {
  const auto layer = static_cast<std::size_t>(pass.at.layer);
  const Matrix& input = *stack.blocks[layer].input;
  const VectorXd direction = f.direction * static_cast<double>(pass.block.attention_norms.factor);
  const double mixed = pass.block.convolution ? add_convolution(pass, input, row, direction, result)
                                              : add_heads(pass, input, row, direction, result);
  const RowVector added = stream_before(stack, layer + 1).row(row) - input.row(row);
  const double rest = added.cast<double>().dot(f.direction) - mixed;
  result.mlps.push_back(pass.block.attention_only() ? 0 : rest);
}

Matrix all_steps(HeadSweep& sweep, WorkWatch* watch) {
  expect_work(watch, sweep.work());
  while (!sweep.done()) sweep.step(watch);
  return sweep.changes();
}

}  // namespace

void validate(const Answer& answer, const Network& network, Index n) {
  if (!network.read_out) throw std::invalid_argument("the network has no read-out");
  if (answer.row < 0 || answer.row >= n)
    throw std::invalid_argument("there is no row " + std::to_string(answer.row) +
                                "; the text has " + std::to_string(n));
  const auto vocabulary = static_cast<std::uint32_t>(network.read_out->tokens.W.cols());
  for (const std::uint32_t token : {answer.token, answer.minus.value_or(0)})
    if (token >= vocabulary)
      throw std::invalid_argument("there is no token " + std::to_string(token) + "; the last is " +
                                  std::to_string(vocabulary - 1));
}

Linear answer_columns(const Linear& tokens, const Answer& answer) {
  if (!answer.minus)
    return {tokens.W.columns(answer.token, 1),
            tokens.b.empty() ? tokens.b : tokens.b.columns(answer.token, 1)};
  const auto both = [&](const StoredMatrix& all) {
    if (all.empty()) return all;
    Matrix two(all.rows(), 2);
    two << all.columns(answer.token, 1).values(), all.columns(*answer.minus, 1).values();
    return StoredMatrix(SharedMatrix(std::move(two)));
  };
  return {both(tokens.W), both(tokens.b)};
}

float logit_of(const Answer& answer, const RowVector& logits) {
  const float logit = logits(answer.token);
  return answer.minus ? logit - logits(*answer.minus) : logit;
}

Matrix logit_lens(const Network& network, const NetworkTrace& trace, Index row, ThreadPool& pool) {
  const std::size_t layers = trace.stack.blocks.size();
  Matrix rows(static_cast<Index>(layers) + 1, trace.stack.last->cols());
  for (std::size_t layer = 0; layer <= layers; ++layer)
    rows.row(static_cast<Index>(layer)) = stream_before(trace.stack, layer).row(row);
  if (network.stack.final_norm) normalise(*network.stack.final_norm, rows);
  return logits(network, rows, pool);
}

LogitAttribution attribute_logit(const Network& network, const NetworkTrace& trace,
                                 const Interventions& interventions, const Answer& answer,
                                 ThreadPool& pool, WorkWatch* watch) {
  require_linear(network);
  const StackTrace& stack = trace.stack;
  validate(answer, network, stack.n());
  const RowVector last = stack.last->row(answer.row);
  const LogitFunction f = logit_function(network, last, answer);
  LogitAttribution result;
  result.heads = Matrix::Zero(std::ssize(stack.blocks), head_count(network, Sublayer::kSelf));
  result.embedding = stream_before(stack, 0).row(answer.row).cast<double>().dot(f.direction);
  result.biases = f.constant;
  for (std::size_t layer = 0; layer < stack.blocks.size(); ++layer) {
    const LayerId at{Sublayer::kSelf, static_cast<Index>(layer)};
    add_block({network.stack.blocks[layer], 0, interventions, at, nullptr, pool}, stack, answer.row,
              f, result);
    report_work(watch, 1);
  }
  result.logit = last.cast<double>().dot(f.direction) + f.constant;
  return result;
}

Matrix knock_out_map(const Network& network, const Tokens& tokens,
                     const Interventions& interventions, const Answer& answer, int threads,
                     WorkWatch* watch) {
  if (network.stack.blocks.empty()) return {};
  return knock_out_map(network, tokens, interventions, answer, Sublayer::kSelf, threads, watch);
}

Matrix knock_out_map(const Network& network, const Tokens& tokens,
                     const Interventions& interventions, const Answer& answer, Sublayer sublayer,
                     int threads, WorkWatch* watch) {
  NetworkEvaluator evaluator(threads);
  const NetworkTrace& trace = evaluator.evaluate(network, tokens, interventions);
  HeadSweep sweep({network, tokens, interventions, trace, answer}, sublayer, evaluator.pool());
  return all_steps(sweep, watch);
}

Matrix patching_map(const Network& network, const Tokens& tokens,
                    const Interventions& interventions, const Answer& answer,
                    const PatchSource& source, Sublayer sublayer, int threads, WorkWatch* watch) {
  NetworkEvaluator evaluator(threads);
  const NetworkTrace& trace = evaluator.evaluate(network, tokens, interventions);
  HeadSweep sweep({network, tokens, interventions, trace, answer}, source, sublayer,
                  evaluator.pool());
  return all_steps(sweep, watch);
}

Matrix attention_rollout(const StackTrace& stack, Index n_heads) {
  const Index n = stack.n();
  Matrix rollout = Matrix::Identity(n, n);
  for (Index layer = 0; layer < std::ssize(stack.blocks); ++layer) {
    if (stack.blocks[static_cast<std::size_t>(layer)].weights->size() == 0)
      throw std::invalid_argument("rollout follows attention alone, and layer " +
                                  std::to_string(layer) + " mixes tokens by a convolution");
    Matrix mean = Matrix::Zero(n, n);
    for (Index head = 0; head < n_heads; ++head) mean += stack.head_weights(layer, head);
    mean /= static_cast<float>(n_heads);
    const Matrix mixed = 0.5f * (mean + Matrix::Identity(n, n));
    rollout = mixed * rollout;
  }
  return rollout;
}

}  // namespace attention::network
