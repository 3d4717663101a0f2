#include "core/trace.h"

#include <stdexcept>
#include <string>

namespace attention {
namespace {

const SharedMatrix& matrix_of(const HeadTrace& head, Stage stage) {
  switch (stage) {
    case Stage::kQ:
      return head.Q;
    case Stage::kK:
      return head.K;
    case Stage::kV:
      return head.V;
    case Stage::kRotatedQ:
      return head.rotated_Q;
    case Stage::kRotatedK:
      return head.rotated_K;
    case Stage::kScores:
      return head.scores;
    case Stage::kScaledScores:
      return head.scaled_scores;
    case Stage::kMaskedScores:
      return head.masked_scores;
    case Stage::kWeights:
      return head.weights;
    case Stage::kDroppedWeights:
      return head.dropped_weights;
    default:
      return head.head_output;
  }
}

const SharedMatrix& matrix_of(const Problem& problem, const Trace& trace, Stage stage) {
  switch (stage) {
    case Stage::kEmbedding:
      return problem.embedding;
    case Stage::kPosition:
      return trace.position;
    case Stage::kX:
      return trace.X;
    case Stage::kEmbeddingKv:
      return problem.embedding_kv;
    case Stage::kPositionKv:
      return trace.position_kv;
    case Stage::kXKv:
      return trace.X_kv;
    case Stage::kConcat:
      return trace.concat;
    case Stage::kOutput:
      return trace.output;
    case Stage::kResidual:
      return trace.residual;
    default:
      return trace.layer_norm;
  }
}

}  // namespace

const SharedMatrix& stage_matrix(const Problem& problem, const Trace& trace, Stage stage,
                                 Index head) {
  if (!is_per_head(stage)) return matrix_of(problem, trace, stage);
  if (head < 0 || head >= std::ssize(trace.heads)) {
    throw std::out_of_range("there is no head_" + std::to_string(head + 1) + " among " +
                            std::to_string(trace.heads.size()));
  }
  return matrix_of(trace.heads[static_cast<size_t>(head)], stage);
}

}  // namespace attention
