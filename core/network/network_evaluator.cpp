#include "core/network/network_evaluator.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "core/layer/stages.h"
#include "core/network/generation/token_rows.h"
#include "core/network/interventions.h"
#include "core/network/network.h"
#include "core/network/row_functions.h"
#include "core/network/staleness.h"
#include "core/numerics/thread_pool.h"

namespace attention::network {
namespace {

Index rows_to_compute(const StaleRows& stale, Index n) {
  Index rows = 0;
  for (const Index first : stale.rows) rows += n - first;
  return rows;
}

StackReport report_of(const StaleRows& stale, Index n) {
  StackReport report{static_cast<Index>(stale.rows.size()), n};
  for (std::size_t layer = stale.rows.size(); layer-- > 0;)
    if (stale.rows[layer] < n) report = {static_cast<Index>(layer), stale.rows.back()};
  return report;
}

// The numbers of `kept`, to be computed anew from `first_row` on. Rows before it are copied when
// someone else still holds them; `kept` is empty afterwards.
Matrix to_update(SharedMatrix& kept, Index first_row) {
  return first_row > 0 ? kept.release() : kept.recycle(kept.shape());
}

}  // namespace

// One evaluation of one stack.
struct NetworkEvaluator::StackRun {
  StackInputs inputs;
  Sublayer sublayer;
  const StaleRows& stale;
  const Matrix* encoder_output;  // null without an encoder
  StackTrace& trace;
  std::vector<BlockState>& states;
};

MatrixView StackTrace::head_weights(Index layer, Index head) const {
  return blocks[static_cast<std::size_t>(layer)].weights->middleRows(head * n(), n());
}

const StackTrace& stack_trace(const NetworkTrace& trace, Sublayer sublayer) {
  return sublayer == Sublayer::kEncoder ? *trace.encoder : trace.stack;
}

const Matrix& weights_at(const NetworkTrace& trace, LayerId at) {
  const StackTrace& stack = stack_trace(trace, at.sublayer);
  const BlockTrace& block = stack.blocks[static_cast<std::size_t>(at.layer)];
  return *(at.sublayer == Sublayer::kCross ? block.cross_weights : block.weights);
}

void NetworkEvaluator::run(const StackRun& run, WorkWatch* watch) {
  const Stack& stack = *run.inputs.stack;
  const auto n = static_cast<Index>(run.inputs.ids->size());
  const Interventions& interventions = *run.inputs.interventions;
  run.trace.blocks.resize(stack.blocks.size());
  run.states.resize(stack.blocks.size());
  const auto input_of = [&](std::size_t layer) -> SharedMatrix& {
    return layer < stack.blocks.size() ? run.trace.blocks[layer].input : run.trace.last;
  };
  if (run.stale.embedding) {
    Matrix rows = embed(stack.embedding, *run.inputs.ids, *run.inputs.types, 0, pool_);
    if (const auto& inputs = stack.embedding.layer_inputs) {
      run.trace.layer_inputs =
          SharedMatrix(embed_layer_inputs(*inputs, *run.inputs.ids, 0, rows, pool_));
      run.trace.embedded = SharedMatrix(Matrix(rows));
    }
    replace_in_stream(interventions, {run.sublayer, 0}, 0, rows);
    input_of(0) = SharedMatrix(std::move(rows));
  }
  for (std::size_t layer = 0; layer < stack.blocks.size(); ++layer) {
    const Index first_row = run.stale.rows[layer];
    if (first_row == n) continue;
    BlockTrace& block = run.trace.blocks[layer];
    const LayerId at{run.sublayer, static_cast<Index>(layer)};
    const std::optional<Index> key_layer = stack.blocks[layer].attention.key_layer;
    const auto source = static_cast<std::size_t>(key_layer.value_or(0));
    const KeySource keys{stack.blocks[source].attention, run.states[source].attention};
    const BlockPass pass{stack.blocks[layer],
                         first_row,
                         interventions,
                         at,
                         run.encoder_output,
                         pool_,
                         key_layer ? &keys : nullptr,
                         &*run.trace.layer_inputs};
    Matrix weights = to_update(block.weights, first_row);
    Matrix cross_weights = to_update(block.cross_weights, first_row);
    Matrix output = to_update(input_of(layer + 1), first_row);
    output.resize(n, block.input->cols());
    output.bottomRows(n - first_row) =
        compute_block(pass, *block.input, weights, cross_weights, run.states[layer]);
    replace_in_stream(interventions, {run.sublayer, at.layer + 1}, 0, output);
    block.weights = SharedMatrix(std::move(weights));
    if (cross_weights.size() > 0) block.cross_weights = SharedMatrix(std::move(cross_weights));
    input_of(layer + 1) = SharedMatrix(std::move(output));
    report_work(watch, n - first_row);
  }
  if (!run.stale.final) return;
  run.trace.final = *run.trace.last;
  if (stack.final_norm) normalise(*stack.final_norm, run.trace.final, pool_);
}

void NetworkEvaluator::update(const Network& network, const Tokens& tokens,
                              const Interventions& interventions, WorkWatch* watch) {
  static const std::vector<std::uint32_t> kNoTypes;
  static const Stack kNoStack;
  const auto n = static_cast<Index>(tokens.ids.size());
  StaleRows encoder_stale;
  const Stack& encoder = network.encoder ? *network.encoder : kNoStack;
  const StackInputs encoder_inputs{&encoder, &tokens.encoder_ids, &kNoTypes, &interventions};
  if (network.encoder) {
    const Stack& last = last_.encoder ? *last_.encoder : kNoStack;
    encoder_stale = stale_rows({&last, &last_tokens_.encoder_ids, &kNoTypes, &last_interventions_},
                               encoder_inputs, Sublayer::kEncoder, false);
    if (!trace_.encoder) trace_.encoder.emplace();
  }
  const StackInputs inputs{&network.stack, &tokens.ids, &tokens.types, &interventions};
  const StaleRows stale =
      stale_rows({&last_.stack, &last_tokens_.ids, &last_tokens_.types, &last_interventions_},
                 inputs, Sublayer::kSelf, network.encoder && encoder_stale.final);
  expect_work(watch,
              rows_to_compute(stale, n) +
                  rows_to_compute(encoder_stale, static_cast<Index>(tokens.encoder_ids.size())));
  if (network.encoder)
    run({encoder_inputs, Sublayer::kEncoder, encoder_stale, nullptr, *trace_.encoder,
         encoder_states_},
        watch);
  run({inputs, Sublayer::kSelf, stale, network.encoder ? &trace_.encoder->final : nullptr,
       trace_.stack, states_},
      watch);
  report_ = report_of(stale, n);
  last_ = network;
  last_tokens_ = tokens;
  last_interventions_ = interventions;
}

const NetworkTrace& NetworkEvaluator::evaluate(const Network& network, const Tokens& tokens,
                                               const Interventions& interventions,
                                               WorkWatch* watch) {
  check_tokens(network, tokens);
  validate(interventions, network, static_cast<Index>(tokens.ids.size()),
           static_cast<Index>(tokens.encoder_ids.size()));
  try {
    update(network, tokens, interventions, watch);
  } catch (...) {
    reset();
    throw;
  }
  return trace_;
}

void NetworkEvaluator::reset() {
  last_ = {};
  last_tokens_ = {};
  last_interventions_ = {};
  trace_ = {};
  states_.clear();
  encoder_states_.clear();
  report_ = {};
}

Matrix logits(const Network& network, const MatrixView& final_rows, ThreadPool& pool) {
  const ReadOut& read_out = *network.read_out;
  Matrix rows = final_rows;
  if (read_out.transform) {
    rows = project(rows, *read_out.transform, Precision::kSingle, pool);
    activate(read_out.activation, rows);
  }
  if (read_out.norm) normalise(*read_out.norm, rows);
  if (read_out.projection) rows = project(rows, *read_out.projection, Precision::kSingle, pool);
  if (read_out.scale != 1) rows *= read_out.scale;
  Matrix result = project(rows, read_out.tokens, Precision::kSingle, pool);
  if (read_out.cap > 0) cap_scores(result, read_out.cap, result);
  return result;
}

}  // namespace attention::network
