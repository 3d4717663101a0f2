#pragma once

#include <utility>

#include "core/analysis/reference_stages.h"

// Every stage of a problem in any scalar.

namespace attention::reference {

// Positions and X [seq_len × d_model] into `trace`, and X_kv [kv_len × d_model], which without
// cross-attention is X.
template <typename S>
void compute_inputs(const Numbers<S>& numbers, LayerStages<MatrixOf<S>>& trace) {
  const Problem& problem = numbers.problem;
  trace.position = overridden(positions(numbers, problem.seq_len(), problem.position_table),
                              problem, Stage::kPosition);
  trace.X = overridden(embed(numbers.read(problem.embedding), trace.position), problem, Stage::kX);
  trace.X_kv = trace.X;
  if (!problem.cross()) return;
  trace.position_kv = overridden(positions(numbers, problem.kv_len(), problem.kv_position_table()),
                                 problem, Stage::kPositionKv);
  trace.X_kv = overridden(embed(numbers.read(problem.embedding_kv), trace.position_kv), problem,
                          Stage::kXKv);
}

// The projections of one head. Heads that share keys and values compute the same ones; their
// overrides are stored under the first of those heads.
template <typename S>
void compute_projections(const Numbers<S>& numbers, const LayerStages<MatrixOf<S>>& trace, Index h,
                         HeadStages<MatrixOf<S>>& head) {
  const Problem& problem = numbers.problem;
  const Config& config = problem.config;
  const auto bias = [&](const SharedMatrix& b) {
    return config.biases ? numbers.read(b) : MatrixOf<S>();
  };
  const QueryParameters& query = problem.parameters.heads[static_cast<size_t>(h)];
  const KeyValueParameters& kv = problem.kv_parameters(h);
  const Index first = h - h % heads_per_kv_head(config);
  const auto stage = [&](MatrixOf<S> computed, Stage which) {
    return overridden<S>(std::move(computed), problem, which, is_per_kv_head(which) ? first : h);
  };
  head.Q = stage(project(trace.X, numbers.read(query.W_Q), bias(query.b_Q)), Stage::kQ);
  head.K = stage(project(trace.X_kv, numbers.read(kv.W_K), bias(kv.b_K)), Stage::kK);
  head.V = stage(project(trace.X_kv, numbers.read(kv.W_V), bias(kv.b_V)), Stage::kV);
}

// What the scores of one head are computed from. Precondition: all heads have their projections.
template <typename S>
void finish_projections(const Numbers<S>& numbers, const LayerStages<MatrixOf<S>>& trace, Index h,
                        HeadStages<MatrixOf<S>>& head) {
  const Problem& problem = numbers.problem;
  const Config& config = problem.config;
  const Index first = h - h % heads_per_kv_head(config);
  const auto stage = [&](MatrixOf<S> computed, Stage which) {
    return overridden<S>(std::move(computed), problem, which, is_per_kv_head(which) ? first : h);
  };
  const Index features = config.head_norm_joint ? config.d_k : 0;
  const Index query = h * features, key = kv_head_of(config, static_cast<int>(h)) * features;
  head.normed_Q =
      stage(normed(trace, config, Stage::kQ, h, numbers.read(problem.parameters.norm_Q), query),
            Stage::kNormedQ);
  head.normed_K =
      stage(normed(trace, config, Stage::kK, h, numbers.read(problem.parameters.norm_K), key),
            Stage::kNormedK);
  head.normed_V = stage(normed_values(head.V, config), Stage::kNormedV);
  head.rotated_Q = stage(rotated(head.normed_Q, problem), Stage::kRotatedQ);
  head.rotated_K = stage(rotated(head.normed_K, problem), Stage::kRotatedK);
}

// From the scores to the output of one head.
template <typename S>
void compute_attention(const Numbers<S>& numbers, Index h, HeadStages<MatrixOf<S>>& head) {
  const Problem& problem = numbers.problem;
  const auto stage = [&](MatrixOf<S> computed, Stage which) {
    return overridden<S>(std::move(computed), problem, which, h);
  };
  head.scores = stage(score(head.rotated_Q, head.rotated_K), Stage::kScores);
  head.content_to_position =
      stage(content_to_position(head.rotated_Q, numbers, h), Stage::kContentToPosition);
  head.position_to_content =
      stage(position_to_content(head.rotated_K, numbers, h), Stage::kPositionToContent);
  head.summed_scores =
      stage(summed(head.scores, head.content_to_position, head.position_to_content),
            Stage::kSummedScores);
  head.scaled_scores = stage(scaled(head.summed_scores, problem.config), Stage::kScaledScores);
  head.capped_scores =
      stage(capped(head.scaled_scores, problem.config.score_cap), Stage::kCappedScores);
  head.masked_scores = stage(masked(head.capped_scores, numbers, h), Stage::kMaskedScores);
  head.weights = stage(softmax(head.masked_scores, sink(numbers, h)), Stage::kWeights);
  head.dropped_weights = stage(dropped(head.weights, problem.config, h), Stage::kDroppedWeights);
  head.head_output = stage(mix(head.dropped_weights, head.normed_V), Stage::kHeadOutput);
}

// From the outputs of all heads to the layer norm. Precondition: `trace` has X and its heads.
template <typename S>
void compute_output(const Numbers<S>& numbers, LayerStages<MatrixOf<S>>& trace) {
  const Problem& problem = numbers.problem;
  const Config& config = problem.config;
  const Parameters& parameters = problem.parameters;
  const auto stage = [&](MatrixOf<S> computed, Stage which) {
    return overridden<S>(std::move(computed), problem, which);
  };
  trace.concat = stage(concat(problem, trace.heads), Stage::kConcat);
  trace.output = stage(project(trace.concat, numbers.read(parameters.W_O),
                               config.biases ? numbers.read(parameters.b_O) : MatrixOf<S>()),
                       Stage::kOutput);
  trace.residual =
      stage(config.residual ? add(trace.X, trace.output) : trace.output, Stage::kResidual);
  trace.layer_norm = stage(config.layer_norm ? normalised(trace.residual, numbers) : trace.residual,
                           Stage::kLayerNorm);
}

/// Every stage. Precondition: the problem is valid.
template <typename S>
LayerStages<MatrixOf<S>> trace_of(const Numbers<S>& numbers) {
  LayerStages<MatrixOf<S>> trace;
  compute_inputs(numbers, trace);
  const Index n_heads = numbers.problem.config.n_heads;
  for (Index h = 0; h < n_heads; ++h)
    compute_projections(numbers, trace, h, trace.heads.emplace_back());
  for (Index h = 0; h < n_heads; ++h) {
    HeadStages<MatrixOf<S>>& head = trace.heads[static_cast<size_t>(h)];
    finish_projections(numbers, trace, h, head);
    compute_attention(numbers, h, head);
  }
  compute_output(numbers, trace);
  return trace;
}

}  // namespace attention::reference
