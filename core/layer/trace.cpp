#include "core/layer/trace.h"

namespace attention {

const SharedMatrix& stage_matrix(const Problem& problem, const Trace& trace, Stage stage,
                                 Index head) {
  if (stage == Stage::kEmbedding) return problem.embedding;
  if (stage == Stage::kEmbeddingKv) return problem.embedding_kv;
  return stage_matrix(trace, stage, head);
}

}  // namespace attention
