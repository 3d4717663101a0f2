#include "app/explain/stage_text.h"

#include <algorithm>

#include "core/explain/explain.h"

#include "app/base/wording.h"
#include "app/explain/stage_words.h"
#include "app/translation/words.h"

namespace lab::explain {

using attention::Problem;
using attention::Stage;

namespace {

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
  if (!repeated || is_given(*repeated) || stage == Stage::kScaledScores) return {};
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
