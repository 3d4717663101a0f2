#include "app/explain/stage_text.h"

#include <algorithm>
#include <array>

#include "app/base/wording.h"
#include "app/explain/number_text.h"
#include "app/translation/words.h"
#include "core/explain/explain.h"
#include "core/matrix_id.h"

namespace lab::explain {
namespace {

using attention::MatrixId;
using attention::Positions;
using attention::Problem;
using attention::Stage;

bool adds(const Problem& problem, MatrixId bias) {
  return problem.config.biases && !matrix_of(problem, bias, 0).empty();
}

std::string projection(const std::string& input, const std::string& name, bool biased) {
  const std::string text = input + " W<sup>" + name + "</sup>";
  return biased ? text + " + b<sup>" + name + "</sup>" : text;
}

std::string keys_input(const Problem& problem) { return problem.cross() ? "X<sub>kv</sub>" : "X"; }

std::string query_formula(const Problem& problem) {
  return projection("X", "Q", adds(problem, MatrixId::kBQ));
}

std::string key_formula(const Problem& problem) {
  return projection(keys_input(problem), "K", adds(problem, MatrixId::kBK));
}

std::string value_formula(const Problem& problem) {
  return projection(keys_input(problem), "V", adds(problem, MatrixId::kBV));
}

std::string position_formula(const Problem& problem) {
  return problem.config.positions == Positions::kLearned ? tr("learned##positions")
                                                         : tr("sin and cos of the position");
}

std::string embedding_formula(const Problem&) { return tr("embeddings"); }

std::string input_formula(const Problem& problem) {
  return is_active(problem, Stage::kPosition) ? tr("embedding + position") : tr("embeddings");
}

std::string keys_input_formula(const Problem& problem) {
  if (problem.key_layer) return tr("what layer {} reads", {std::to_string(*problem.key_layer)});
  return is_active(problem, Stage::kPositionKv) ? tr("embedding + position") : tr("embeddings");
}

std::string normed_query_formula(const Problem& problem) {
  const bool weighted = !problem.parameters.norm_Q.empty();
  if (problem.config.head_norm_joint) return tr("Q′: Q ÷ RMS of all heads");
  return weighted ? "Q′: Q ÷ RMS · norm<sub>Q</sub>" : "Q′: Q ÷ RMS";
}

std::string normed_key_formula(const Problem& problem) {
  const bool weighted = !problem.parameters.norm_K.empty();
  if (problem.config.head_norm_joint) return tr("K′: K ÷ RMS of all heads");
  return weighted ? "K′: K ÷ RMS · norm<sub>K</sub>" : "K′: K ÷ RMS";
}

std::string normed_value_formula(const Problem&) { return "V′: V ÷ RMS"; }

std::string rotated_query_formula(const Problem& problem) {
  return is_active(problem, Stage::kNormedQ) ? tr("Q′′: Q′ turned by position")
                                             : tr("Q′: Q turned by position");
}

std::string rotated_key_formula(const Problem& problem) {
  return is_active(problem, Stage::kNormedK) ? tr("K′′: K′ turned by position")
                                             : tr("K′: K turned by position");
}

std::string scaling(const Problem& problem) {
  const attention::Config& config = problem.config;
  std::string text = config.scale ? "÷ √d<sub>k</sub>" : "";
  if (config.temperature != 1.0f) text += text.empty() ? "÷ T" : " ÷ T";
  return text.empty() ? tr("not scaled") : text;
}

std::string capping(const Problem& problem) {
  const std::string cap = format_significant(problem.config.score_cap, 4);
  return cap + " · tanh(s ÷ " + cap + ")";
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
  const auto primes = [&](Stage normed, Stage rotated) {
    return std::string(is_active(problem, normed) ? "′" : "") +
           (is_active(problem, rotated) ? "′" : "");
  };
  return "Q" + primes(Stage::kNormedQ, Stage::kRotatedQ) + " K" +
         primes(Stage::kNormedK, Stage::kRotatedK) + "<sup>T</sup>";
}

std::string content_to_position_formula(const Problem&) {
  return tr("Q P<sub>K</sub><sup>T</sup>, P<sub>K</sub>: keys of distances");
}

std::string position_to_content_formula(const Problem&) {
  return tr("P<sub>Q</sub> K<sup>T</sup>, P<sub>Q</sub>: queries of distances");
}

std::string sum_formula(const Problem& problem) {
  if (!is_switched_on(problem, Stage::kPositionToContent)) return tr("scores + content → position");
  return is_switched_on(problem, Stage::kContentToPosition)
             ? tr("scores + content → position + position → content")
             : tr("scores + position → content");
}

std::string softmax_formula(const Problem& problem) {
  return problem.config.sink ? tr("softmax with a sink") : "softmax";
}

std::string dropping(const Problem&) { return tr("÷ (1 − p), or dropped"); }

std::string mixing(const Problem& problem) {
  const std::string prime = is_active(problem, Stage::kNormedV) ? "′" : "";
  return (is_active(problem, Stage::kDroppedWeights) ? tr("dropped · V") : tr("weights · V")) +
         prime;
}

// "head 1 | head 2 | head 3", shortened for many heads.
std::string side_by_side(const Problem& problem) {
  constexpr int kMostNamed = 4;
  const int n_heads = problem.config.n_heads;
  if (n_heads > kMostNamed) return tr("head 1 | … | head {}", {std::to_string(n_heads)});
  std::string text = tr("head {}", {"1"});
  for (int head = 2; head <= n_heads; ++head) text += " | " + tr("head {}", {std::to_string(head)});
  return text;
}

std::string residual_formula(const Problem&) { return tr("X + output"); }

std::string normalisation(const Problem& problem) {
  std::string text = tr("(x − mean) ÷ σ");
  if (!problem.parameters.gamma.empty()) text += " · γ";
  if (!problem.parameters.beta.empty()) text += " + β";
  return text;
}

std::string output_formula(const Problem& problem) {
  return adds(problem, MatrixId::kBO) ? tr("concat · W<sup>O</sup> + b<sup>O</sup>")
                                      : tr("concat · W<sup>O</sup>");
}

constexpr const char* kTokenEmbedding = tr_later("The embedding of {}, feature {}.");
constexpr const char* kAddedForPosition =
    tr_later("What is added to the embedding of {} for its position, feature {}.");
constexpr const char* kMatch =
    tr_later("How well the query of {} matches the key of {} in head {}.");
constexpr const char* kFlow = tr_later("How much of {} flows into {} in head {}.");

constexpr std::array<StageWords, attention::kStageCount> kWords = {{
    {.stage = Stage::kEmbedding,
     .title = tr_later("Embedding"),
     .meaning = kTokenEmbedding,
     .formula = embedding_formula},
    {.stage = Stage::kPosition,
     .title = tr_later("Position"),
     .meaning = kAddedForPosition,
     .formula = position_formula},
    {.stage = Stage::kX,
     .meaning = tr_later("What the layer reads of {}, feature {}."),
     .formula = input_formula},
    {.stage = Stage::kEmbeddingKv,
     .title = tr_later("Embedding of keys"),
     .meaning = kTokenEmbedding,
     .formula = embedding_formula},
    {.stage = Stage::kPositionKv,
     .title = tr_later("Position of keys"),
     .meaning = kAddedForPosition,
     .formula = position_formula},
    {.stage = Stage::kXKv,
     .title = tr_later("X of keys"),
     .meaning = tr_later("What the layer reads of {}, feature {}."),
     .formula = keys_input_formula},
    {.stage = Stage::kQ,
     .meaning = tr_later("What {} looks for: query feature {} of head {}."),
     .formula = query_formula},
    {.stage = Stage::kK,
     .meaning = tr_later("What {} offers: key feature {} of head {}."),
     .formula = key_formula},
    {.stage = Stage::kV,
     .meaning = tr_later("What {} passes on: value feature {} of head {}."),
     .formula = value_formula},
    {.stage = Stage::kNormedQ,
     .title = tr_later("Normed Q"),
     .meaning = tr_later("What {} looks for, brought to a common length: feature {} of head {}."),
     .formula = normed_query_formula},
    {.stage = Stage::kNormedK,
     .title = tr_later("Normed K"),
     .meaning = tr_later("What {} offers, brought to a common length: feature {} of head {}."),
     .formula = normed_key_formula},
    {.stage = Stage::kNormedV,
     .title = tr_later("Normed V"),
     .meaning = tr_later("What {} passes on, brought to a common length: feature {} of head {}."),
     .formula = normed_value_formula},
    {.stage = Stage::kRotatedQ,
     .title = tr_later("Rotated Q"),
     .meaning = tr_later("What {} looks for, turned by its position: feature {} of head {}."),
     .formula = rotated_query_formula},
    {.stage = Stage::kRotatedK,
     .title = tr_later("Rotated K"),
     .meaning = tr_later("What {} offers, turned by its position: feature {} of head {}."),
     .formula = rotated_key_formula},
    {.stage = Stage::kScores,
     .title = tr_later("Scores"),
     .meaning = kMatch,
     .formula = product_of_queries_and_keys},
    {.stage = Stage::kContentToPosition,
     .title = tr_later("Content → position"),
     .meaning = tr_later("How well the query of {} matches the distance to {} in head {}."),
     .formula = content_to_position_formula},
    {.stage = Stage::kPositionToContent,
     .title = tr_later("Position → content"),
     .meaning = tr_later("How well the distance of {} from {} matches that key in head {}."),
     .formula = position_to_content_formula},
    {.stage = Stage::kSummedScores,
     .title = tr_later("Summed"),
     .full_title = tr_later("Summed scores"),
     .meaning = kMatch,
     .formula = sum_formula},
    {.stage = Stage::kScaledScores,
     .title = tr_later("Scaled"),
     .full_title = tr_later("Scaled scores"),
     .meaning = kMatch,
     .formula = scaling},
    {.stage = Stage::kCappedScores,
     .title = tr_later("Capped"),
     .full_title = tr_later("Capped scores"),
     .meaning = kMatch,
     .formula = capping},
    {.stage = Stage::kMaskedScores,
     .title = tr_later("Masked"),
     .full_title = tr_later("Masked scores"),
     .meaning = kMatch,
     .formula = masking},
    {.stage = Stage::kWeights,
     .title = tr_later("Weights"),
     .meaning = kFlow,
     .formula = softmax_formula},
    {.stage = Stage::kDroppedWeights,
     .title = tr_later("Dropped weights"),
     .meaning = kFlow,
     .formula = dropping},
    {.stage = Stage::kHeadOutput,
     .title = tr_later("Head output"),
     .meaning = tr_later("What {} gathered: the values, mixed by its weights."),
     .formula = mixing},
    {.stage = Stage::kConcat,
     .title = tr_later("Concat"),
     .meaning = tr_later("The heads' outputs for {}, side by side."),
     .formula = side_by_side},
    {.stage = Stage::kOutput,
     .title = tr_later("Output"),
     .meaning = tr_later("What leaves the layer for {}: all heads, projected."),
     .formula = output_formula},
    {.stage = Stage::kResidual,
     .title = tr_later("Residual"),
     .meaning = tr_later("What the layer read of {} and what it found, added."),
     .formula = residual_formula},
    {.stage = Stage::kLayerNorm,
     .title = tr_later("Layer norm"),
     .meaning = tr_later("The row of {}, brought to mean 0 and variance 1."),
     .formula = normalisation},
}};

// The table is looked into by the number of the stage.
constexpr bool has_words_in_order() {
  for (std::size_t i = 0; i < kWords.size(); ++i) {
    if (kWords[i].stage != attention::kAllStages[i]) return false;
  }
  return true;
}
static_assert(has_words_in_order(), "words for each stage, in the order of Stage");

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

}  // namespace

const StageWords& stage_words(Stage stage) { return kWords.at(static_cast<std::size_t>(stage)); }

std::vector<Stage> pipeline_stages(const Problem& problem) {
  std::vector<Stage> stages;
  for (const Stage stage : attention::kAllStages) {
    if (belongs_to_pipeline(problem, stage)) stages.push_back(stage);
  }
  return stages;
}

std::string stage_title(Stage stage) {
  const std::string_view title = stage_words(stage).title;
  return title.empty() ? std::string(stage_name(stage)) : tr(title);
}

std::string full_stage_title(Stage stage) {
  const std::string_view title = stage_words(stage).full_title;
  return title.empty() ? stage_title(stage) : tr(title);
}

std::string stage_formula(const Problem& problem, Stage stage) {
  const std::string off = off_text(problem, stage);
  return off.empty() ? stage_words(stage).formula(problem) : off;
}

std::string off_text(const Problem& problem, Stage stage) {
  const auto repeated = attention::repeated_stage(problem, stage);
  if (!repeated || is_input(*repeated) || stage == Stage::kScaledScores) return {};
  const std::string same = name_in_words(stage_name(*repeated));
  const bool overridden = has_overrides(problem, stage);
  if (stage == Stage::kXKv)
    return overridden ? tr("the same as {} except for overrides", {same})
                      : tr("the same as {}", {same});
  return overridden ? tr("off: the same as {} except for overrides", {same})
                    : tr("off: the same as {}", {same});
}

std::string shape_text(attention::Shape shape) {
  return std::to_string(shape.rows) + "×" + std::to_string(shape.cols);
}

}  // namespace lab::explain
