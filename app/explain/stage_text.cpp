#include "app/explain/stage_text.h"

#include <algorithm>

#include "core/explain/explain.h"

#include "app/base/wording.h"
#include "app/translation/words.h"

namespace lab::explain {

using attention::Positions;
using attention::Problem;
using attention::Stage;

namespace {

std::string projection(const char* input, const char* matrix, bool biased) {
  const std::string name = matrix;
  std::string text = std::string(input) + " W<sup>" + name + "</sup>";
  if (biased) text += " + b<sup>" + name + "</sup>";
  return text;
}

const char* keys_input(const Problem& problem) { return problem.cross() ? "X<sub>kv</sub>" : "X"; }

std::string position_formula(const attention::Config& config) {
  return config.positions == Positions::kLearned ? tr("learned##positions")
                                                 : tr("sin and cos of the position");
}

std::string sum_of_inputs(const Problem& problem, Stage position) {
  return is_active(problem, position) ? tr("embedding + position") : tr("embeddings");
}

std::string scaling(const attention::Config& config) {
  std::string text = config.scale ? "÷ √d<sub>k</sub>" : "";
  if (config.temperature != 1.0f) text += text.empty() ? "÷ T" : " ÷ T";
  return text.empty() ? tr("not scaled") : text;
}

std::string masking(const Problem& problem) {
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (!problem.bias.empty()) add(tr("+ bias"));
  if (problem.config.positions == Positions::kAlibi) add(tr("− slope · distance"));
  if (problem.config.mask.any() || !problem.allowed.empty()) add(tr("−∞ where forbidden"));
  return text;
}

std::string product_of_queries_and_keys(const Problem& problem) {
  const bool Q = is_active(problem, Stage::kRotatedQ), K = is_active(problem, Stage::kRotatedK);
  return std::string(Q ? "Q′ " : "Q ") + (K ? "K′" : "K") + "<sup>T</sup>";
}

// "head 1 | head 2 | head 3", shortened for many heads.
std::string side_by_side(int n_heads) {
  constexpr int kMostNamed = 4;
  if (n_heads > kMostNamed) return tr("head 1 | … | head {}", {std::to_string(n_heads)});
  std::string text = tr("head {}", {"1"});
  for (int head = 2; head <= n_heads; ++head) text += " | " + tr("head {}", {std::to_string(head)});
  return text;
}

std::string normalisation(const attention::Parameters& parameters) {
  std::string text = tr("(x − mean) ÷ σ");
  if (!parameters.gamma.empty()) text += " · γ";
  if (!parameters.beta.empty()) text += " + β";
  return text;
}

std::string input_formula(const Problem& problem, Stage stage) {
  switch (stage) {
    case Stage::kPosition:
    case Stage::kPositionKv:
      return position_formula(problem.config);
    case Stage::kX:
      return sum_of_inputs(problem, Stage::kPosition);
    case Stage::kXKv:
      return sum_of_inputs(problem, Stage::kPositionKv);
    default:
      return tr("embeddings");
  }
}

std::string projection_formula(const Problem& problem, Stage stage) {
  const auto& [W_Q, b_Q] = problem.parameters.heads.front();
  const auto& [W_K, W_V, b_K, b_V] = problem.parameters.kv_heads.front();
  const bool biases = problem.config.biases;
  if (stage == Stage::kQ) return projection("X", "Q", biases && !b_Q.empty());
  if (stage == Stage::kK) return projection(keys_input(problem), "K", biases && !b_K.empty());
  return projection(keys_input(problem), "V", biases && !b_V.empty());
}

std::string output_formula(const Problem& problem) {
  const bool biased = problem.config.biases && !problem.parameters.b_O.empty();
  return biased ? tr("concat · W<sup>O</sup> + b<sup>O</sup>") : tr("concat · W<sup>O</sup>");
}

bool belongs_to_pipeline(const Problem& problem, Stage stage) {
  switch (stage) {
    case Stage::kEmbedding:
      return is_active(problem, Stage::kX);
    case Stage::kEmbeddingKv:
      return is_active(problem, Stage::kXKv);
    case Stage::kXKv:
      return problem.cross();
    case Stage::kX:
    case Stage::kScaledScores:
      return true;
    default:
      return is_active(problem, stage);
  }
}

bool has_overrides(const Problem& problem, Stage stage) {
  return std::ranges::any_of(problem.overrides,
                             [stage](const attention::Override& o) { return o.stage == stage; });
}

std::string formula_of_computed(const Problem& problem, Stage stage) {
  switch (stage) {
    case Stage::kQ:
    case Stage::kK:
    case Stage::kV:
      return projection_formula(problem, stage);
    case Stage::kRotatedQ:
      return tr("Q′: Q turned by position");
    case Stage::kRotatedK:
      return tr("K′: K turned by position");
    case Stage::kScores:
      return product_of_queries_and_keys(problem);
    case Stage::kScaledScores:
      return scaling(problem.config);
    case Stage::kMaskedScores:
      return masking(problem);
    case Stage::kWeights:
      return "softmax";
    case Stage::kDroppedWeights:
      return tr("÷ (1 − p), or dropped");
    case Stage::kHeadOutput:
      return is_active(problem, Stage::kDroppedWeights) ? tr("dropped · V") : tr("weights · V");
    case Stage::kConcat:
      return side_by_side(problem.config.n_heads);
    case Stage::kOutput:
      return output_formula(problem);
    case Stage::kResidual:
      return tr("X + output");
    case Stage::kLayerNorm:
      return normalisation(problem.parameters);
    default:
      return input_formula(problem, stage);
  }
}

}  // namespace

std::vector<Stage> pipeline_stages(const Problem& problem) {
  std::vector<Stage> stages;
  for (const Stage stage : attention::kAllStages) {
    if (belongs_to_pipeline(problem, stage)) stages.push_back(stage);
  }
  return stages;
}

std::string stage_title(Stage stage) {
  switch (stage) {
    case Stage::kEmbedding:
      return tr("Embedding");
    case Stage::kPosition:
      return tr("Position");
    case Stage::kEmbeddingKv:
      return tr("Embedding of keys");
    case Stage::kPositionKv:
      return tr("Position of keys");
    case Stage::kXKv:
      return tr("X of keys");
    case Stage::kRotatedQ:
      return tr("Rotated Q");
    case Stage::kRotatedK:
      return tr("Rotated K");
    case Stage::kScores:
      return tr("Scores");
    case Stage::kScaledScores:
      return tr("Scaled");
    case Stage::kMaskedScores:
      return tr("Masked");
    case Stage::kWeights:
      return tr("Weights");
    case Stage::kDroppedWeights:
      return tr("Dropped weights");
    case Stage::kHeadOutput:
      return tr("Head output");
    case Stage::kConcat:
      return tr("Concat");
    case Stage::kOutput:
      return tr("Output");
    case Stage::kResidual:
      return tr("Residual");
    case Stage::kLayerNorm:
      return tr("Layer norm");
    default:
      return std::string(stage_name(stage));
  }
}

std::string full_stage_title(Stage stage) {
  if (stage == Stage::kScaledScores) return tr("Scaled scores");
  return stage == Stage::kMaskedScores ? tr("Masked scores") : stage_title(stage);
}

std::string stage_formula(const Problem& problem, Stage stage) {
  const std::string off = off_text(problem, stage);
  return off.empty() ? formula_of_computed(problem, stage) : off;
}

std::string off_text(const Problem& problem, Stage stage) {
  const auto repeated = attention::repeated_stage(problem, stage);
  const bool given = repeated == Stage::kEmbedding || repeated == Stage::kEmbeddingKv;
  if (!repeated || given || stage == Stage::kScaledScores) return {};
  const std::string same = name_in_words(stage_name(*repeated));
  const bool overridden = has_overrides(problem, stage);
  if (stage == Stage::kXKv)
    return overridden ? tr("the same as {} but for overrides", {same})
                      : tr("the same as {}", {same});
  return overridden ? tr("off: the same as {} but for overrides", {same})
                    : tr("off: the same as {}", {same});
}

std::string shape_text(attention::Shape shape) {
  return std::to_string(shape.rows) + "×" + std::to_string(shape.cols);
}

}  // namespace lab::explain
