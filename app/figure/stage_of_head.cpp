#include "app/figure/stage_of_head.h"

#include "app/figure/stage_text.h"

namespace lab {

std::vector<StageOfHead> all_stages_of_heads(const attention::Problem& problem) {
  std::vector<StageOfHead> all;
  for (const attention::Stage stage : pipeline_stages(problem)) {
    if (!attention::is_per_head(stage)) all.push_back({stage, std::nullopt});
    const attention::Index heads = attention::is_per_head(stage) ? problem.config.n_heads : 0;
    for (attention::Index head = 0; head < heads; ++head) all.push_back({stage, head});
  }
  return all;
}

std::string file_stem(const StageOfHead& what) {
  const std::string stage(attention::stage_name(what.stage));
  return what.head ? stage + "-head-" + std::to_string(*what.head + 1) : stage;
}

}  // namespace lab
