#include "core/trace.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace attention {
namespace {

// In the order of kAllStages.
constexpr std::array<std::string_view, kAllStages.size()> kStageNames = {
    "X",       "Q",           "K",      "V",     "scores", "scaled_scores", "masked_scores",
    "weights", "head_output", "concat", "output"};

const SharedMatrix& matrix_of(const HeadTrace& head, Stage stage) {
  switch (stage) {
    case Stage::kQ:
      return head.Q;
    case Stage::kK:
      return head.K;
    case Stage::kV:
      return head.V;
    case Stage::kScores:
      return head.scores;
    case Stage::kScaledScores:
      return head.scaled_scores;
    case Stage::kMaskedScores:
      return head.masked_scores;
    case Stage::kWeights:
      return head.weights;
    default:
      return head.head_output;
  }
}

}  // namespace

std::string_view stage_name(Stage stage) { return kStageNames.at(static_cast<size_t>(stage)); }

std::optional<Stage> stage_from_name(std::string_view name) {
  const auto* found = std::find(kStageNames.begin(), kStageNames.end(), name);
  if (found == kStageNames.end()) return std::nullopt;
  return kAllStages.at(static_cast<size_t>(found - kStageNames.begin()));
}

bool is_per_head(Stage stage) { return stage >= Stage::kQ && stage <= Stage::kHeadOutput; }

bool has_key_columns(Stage stage) { return stage >= Stage::kScores && stage <= Stage::kWeights; }

const SharedMatrix& stage_matrix(const Problem& problem, const Trace& trace, Stage stage,
                                 Index head) {
  if (stage == Stage::kX) return problem.X;
  if (stage == Stage::kConcat) return trace.concat;
  if (stage == Stage::kOutput) return trace.output;
  if (head < 0 || head >= std::ssize(trace.heads)) {
    throw std::out_of_range("there is no head_" + std::to_string(head + 1) + " among " +
                            std::to_string(trace.heads.size()));
  }
  return matrix_of(trace.heads[static_cast<size_t>(head)], stage);
}

}  // namespace attention
