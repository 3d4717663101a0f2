#include "core/layer/stage_info.h"

#include <algorithm>

#include "core/problem.h"

namespace attention {
namespace {

bool adds_positions(const Problem& problem) {
  const Positions positions = problem.config.positions;
  return positions == Positions::kSinusoidal || positions == Positions::kLearned;
}

bool has_second_sentence(const Problem& problem) { return problem.cross(); }

bool adds_key_positions(const Problem& problem) {
  return problem.cross() && adds_positions(problem);
}

bool has_head_norm(const Problem& problem) { return problem.config.head_norm; }

bool has_value_norm(const Problem& problem) { return problem.config.value_norm; }

bool caps_scores(const Problem& problem) { return problem.config.score_cap > 0.0f; }

bool is_rotary(const Problem& problem) { return problem.config.positions == Positions::kRotary; }

bool is_alibi(const Problem& problem) { return problem.config.positions == Positions::kAlibi; }

bool compares_with_positions(const Problem& problem) {
  return problem.relative && problem.relative->content_to_position;
}

bool compares_positions(const Problem& problem) {
  return problem.relative && problem.relative->position_to_content;
}

bool sums_scores(const Problem& problem) {
  return compares_with_positions(problem) || compares_positions(problem);
}

bool scales_scores(const Problem& problem) { return score_factor(problem.config) != 1.0f; }

bool masks_scores(const Problem& problem) {
  return problem.config.mask.any() || !problem.allowed.empty() || !problem.bias.empty() ||
         !problem.head_bias.empty() || is_alibi(problem);
}

bool drops_weights(const Problem& problem) { return problem.config.dropout_rate > 0.0f; }

bool has_residual(const Problem& problem) { return problem.config.residual; }

bool has_layer_norm(const Problem& problem) { return problem.config.layer_norm; }

template <Index Count>
Index always(const Problem&) {
  return Count;
}

Index sinusoid_work(const Problem& problem) {
  return problem.config.positions == Positions::kSinusoidal ? 1 : 0;
}

Index projection_work(const Problem& problem) { return problem.config.d_model; }

Index score_work(const Problem& problem) { return problem.config.d_k; }

Index sum_work(const Problem& problem) {
  return (compares_with_positions(problem) ? 1 : 0) + (compares_positions(problem) ? 1 : 0);
}

Index mask_work(const Problem& problem) {
  return (problem.bias.empty() ? 0 : 1) + (problem.head_bias.empty() ? 0 : 1) +
         (is_alibi(problem) ? 1 : 0);
}

Index output_work(const Problem& problem) { return axis_length(problem.config, Axis::kConcat); }

}  // namespace

constexpr std::array<StageInfo, kStageCount> kStageInfos = {{
    {.stage = Stage::kEmbedding,
     .name = "embedding",
     .section = StageSection::kInput,
     .rows = Axis::kQueries,
     .cols = Axis::kModel,
     .input = true},
    {.stage = Stage::kPosition,
     .name = "position",
     .section = StageSection::kInput,
     .rows = Axis::kQueries,
     .cols = Axis::kModel,
     .switched_on = adds_positions,
     .work = sinusoid_work},
    {.stage = Stage::kX,
     .name = "X",
     .section = StageSection::kInput,
     .rows = Axis::kQueries,
     .cols = Axis::kModel,
     .operands = {{{Stage::kEmbedding, Reach::kCell}, {Stage::kPosition, Reach::kCell}}},
     .switched_on = adds_positions,
     .repeats = Stage::kEmbedding,
     .work = always<1>},
    {.stage = Stage::kEmbeddingKv,
     .name = "embedding_kv",
     .section = StageSection::kInput,
     .rows = Axis::kKeys,
     .cols = Axis::kModel,
     .input = true,
     .switched_on = has_second_sentence},
    {.stage = Stage::kPositionKv,
     .name = "position_kv",
     .section = StageSection::kInput,
     .rows = Axis::kKeys,
     .cols = Axis::kModel,
     .switched_on = adds_key_positions,
     .work = sinusoid_work},
    {.stage = Stage::kXKv,
     .name = "X_kv",
     .section = StageSection::kInput,
     .rows = Axis::kKeys,
     .cols = Axis::kModel,
     .operands = {{{Stage::kEmbeddingKv, Reach::kCell}, {Stage::kPositionKv, Reach::kCell}}},
     .switched_on = adds_key_positions,
     .repeats = Stage::kEmbeddingKv,
     .work = always<1>},
    {.stage = Stage::kQ,
     .name = "Q",
     .section = StageSection::kProjection,
     .heads = StageHeads::kPerHead,
     .rows = Axis::kQueries,
     .cols = Axis::kKeyFeatures,
     .operands = {{{Stage::kX, Reach::kRow}}},
     .work = projection_work},
    {.stage = Stage::kK,
     .name = "K",
     .section = StageSection::kProjection,
     .heads = StageHeads::kPerKvHead,
     .rows = Axis::kKeys,
     .cols = Axis::kKeyFeatures,
     .operands = {{{Stage::kXKv, Reach::kRow}}},
     .work = projection_work},
    {.stage = Stage::kV,
     .name = "V",
     .section = StageSection::kProjection,
     .heads = StageHeads::kPerKvHead,
     .rows = Axis::kKeys,
     .cols = Axis::kValueFeatures,
     .operands = {{{Stage::kXKv, Reach::kRow}}},
     .work = projection_work},
    {.stage = Stage::kNormedQ,
     .name = "normed_Q",
     .section = StageSection::kProjection,
     .heads = StageHeads::kPerHead,
     .rows = Axis::kQueries,
     .cols = Axis::kKeyFeatures,
     .operands = {{{Stage::kQ, Reach::kRow}}},
     .switched_on = has_head_norm,
     .repeats = Stage::kQ},
    {.stage = Stage::kNormedK,
     .name = "normed_K",
     .section = StageSection::kProjection,
     .heads = StageHeads::kPerKvHead,
     .rows = Axis::kKeys,
     .cols = Axis::kKeyFeatures,
     .operands = {{{Stage::kK, Reach::kRow}}},
     .switched_on = has_head_norm,
     .repeats = Stage::kK},
    {.stage = Stage::kNormedV,
     .name = "normed_V",
     .section = StageSection::kProjection,
     .heads = StageHeads::kPerKvHead,
     .rows = Axis::kKeys,
     .cols = Axis::kValueFeatures,
     .operands = {{{Stage::kV, Reach::kRow}}},
     .switched_on = has_value_norm,
     .repeats = Stage::kV},
    {.stage = Stage::kRotatedQ,
     .name = "rotated_Q",
     .section = StageSection::kProjection,
     .heads = StageHeads::kPerHead,
     .rows = Axis::kQueries,
     .cols = Axis::kKeyFeatures,
     .operands = {{{Stage::kNormedQ, Reach::kPair}}},
     .switched_on = is_rotary,
     .repeats = Stage::kNormedQ,
     .work = always<2>},
    {.stage = Stage::kRotatedK,
     .name = "rotated_K",
     .section = StageSection::kProjection,
     .heads = StageHeads::kPerKvHead,
     .rows = Axis::kKeys,
     .cols = Axis::kKeyFeatures,
     .operands = {{{Stage::kNormedK, Reach::kPair}}},
     .switched_on = is_rotary,
     .repeats = Stage::kNormedK,
     .work = always<2>},
    {.stage = Stage::kScores,
     .name = "scores",
     .section = StageSection::kScores,
     .heads = StageHeads::kPerHead,
     .rows = Axis::kQueries,
     .cols = Axis::kKeys,
     .operands = {{{Stage::kRotatedQ, Reach::kRow}, {Stage::kRotatedK, Reach::kKeyRow}}},
     .work = score_work},
    {.stage = Stage::kContentToPosition,
     .name = "content_to_position",
     .section = StageSection::kScores,
     .heads = StageHeads::kPerHead,
     .rows = Axis::kQueries,
     .cols = Axis::kKeys,
     .operands = {{{Stage::kRotatedQ, Reach::kRow}}},
     .switched_on = compares_with_positions},
    {.stage = Stage::kPositionToContent,
     .name = "position_to_content",
     .section = StageSection::kScores,
     .heads = StageHeads::kPerHead,
     .rows = Axis::kQueries,
     .cols = Axis::kKeys,
     .operands = {{{Stage::kRotatedK, Reach::kKeyRow}}},
     .switched_on = compares_positions},
    {.stage = Stage::kSummedScores,
     .name = "summed_scores",
     .section = StageSection::kScores,
     .heads = StageHeads::kPerHead,
     .rows = Axis::kQueries,
     .cols = Axis::kKeys,
     .operands = {{{Stage::kScores, Reach::kCell},
                   {Stage::kContentToPosition, Reach::kCell},
                   {Stage::kPositionToContent, Reach::kCell}}},
     .switched_on = sums_scores,
     .repeats = Stage::kScores,
     .work = sum_work},
    {.stage = Stage::kScaledScores,
     .name = "scaled_scores",
     .section = StageSection::kScores,
     .heads = StageHeads::kPerHead,
     .rows = Axis::kQueries,
     .cols = Axis::kKeys,
     .operands = {{{Stage::kSummedScores, Reach::kCell}}},
     .switched_on = scales_scores,
     .repeats = Stage::kSummedScores,
     .work = always<1>},
    {.stage = Stage::kCappedScores,
     .name = "capped_scores",
     .section = StageSection::kScores,
     .heads = StageHeads::kPerHead,
     .rows = Axis::kQueries,
     .cols = Axis::kKeys,
     .operands = {{{Stage::kScaledScores, Reach::kCell}}},
     .switched_on = caps_scores,
     .repeats = Stage::kScaledScores,
     .work = always<3>},
    {.stage = Stage::kMaskedScores,
     .name = "masked_scores",
     .section = StageSection::kScores,
     .heads = StageHeads::kPerHead,
     .rows = Axis::kQueries,
     .cols = Axis::kKeys,
     .operands = {{{Stage::kCappedScores, Reach::kCell}}},
     .switched_on = masks_scores,
     .repeats = Stage::kCappedScores,
     .work = mask_work},
    {.stage = Stage::kWeights,
     .name = "weights",
     .section = StageSection::kScores,
     .heads = StageHeads::kPerHead,
     .rows = Axis::kQueries,
     .cols = Axis::kKeys,
     .weights = true,
     .operands = {{{Stage::kMaskedScores, Reach::kRow}}},
     .work = always<4>},
    {.stage = Stage::kDroppedWeights,
     .name = "dropped_weights",
     .section = StageSection::kScores,
     .heads = StageHeads::kPerHead,
     .rows = Axis::kQueries,
     .cols = Axis::kKeys,
     .weights = true,
     .operands = {{{Stage::kWeights, Reach::kCell}}},
     .switched_on = drops_weights,
     .repeats = Stage::kWeights,
     .work = always<1>},
    {.stage = Stage::kHeadOutput,
     .name = "head_output",
     .section = StageSection::kOutput,
     .heads = StageHeads::kPerHead,
     .rows = Axis::kQueries,
     .cols = Axis::kValueFeatures,
     .operands = {{{Stage::kDroppedWeights, Reach::kRow}, {Stage::kNormedV, Reach::kColumn}}}},
    {.stage = Stage::kConcat,
     .name = "concat",
     .section = StageSection::kOutput,
     .rows = Axis::kQueries,
     .cols = Axis::kConcat,
     .operands = {{{Stage::kHeadOutput, Reach::kHeadCell}}}},
    {.stage = Stage::kOutput,
     .name = "output",
     .section = StageSection::kOutput,
     .rows = Axis::kQueries,
     .cols = Axis::kOut,
     .operands = {{{Stage::kConcat, Reach::kRow}}},
     .work = output_work},
    {.stage = Stage::kResidual,
     .name = "residual",
     .section = StageSection::kOutput,
     .rows = Axis::kQueries,
     .cols = Axis::kOut,
     .operands = {{{Stage::kX, Reach::kCell}, {Stage::kOutput, Reach::kCell}}},
     .switched_on = has_residual,
     .repeats = Stage::kOutput,
     .work = always<1>},
    {.stage = Stage::kLayerNorm,
     .name = "layer_norm",
     .section = StageSection::kOutput,
     .rows = Axis::kQueries,
     .cols = Axis::kOut,
     .operands = {{{Stage::kResidual, Reach::kRow}}},
     .switched_on = has_layer_norm,
     .repeats = Stage::kResidual},
}};

namespace {

// Both tables are indexed by the number of the stage.
constexpr bool are_in_order() {
  for (std::size_t i = 0; i < kStageCount; ++i) {
    if (kStageInfos[i].stage != kAllStages[i] || kStageMembers<int>[i].stage != kAllStages[i]) {
      return false;
    }
  }
  return true;
}
static_assert(are_in_order(), "a record for each stage, in the order of Stage");

}  // namespace

std::optional<Stage> stage_from_name(std::string_view name) {
  const auto found = std::ranges::find(kStageInfos, name, &StageInfo::name);
  if (found == kStageInfos.end()) return std::nullopt;
  return found->stage;
}

}  // namespace attention
