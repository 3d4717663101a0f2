#include "app/figure/figure_file.h"

#include <stdexcept>

#include "app/explain/stage_text.h"
#include "app/figure/compose/shown_tokens.h"

namespace lab::figure {

Expected<std::string> figure_file(const Document& document, const attention::Trace& trace,
                                  const FigureOptions& options, const FigureFormat& format,
                                  const WriteOptions& writing, const Snapshot* kept) try {
  if (format.write_page != nullptr) {
    const RenamedTokens renamed(document, options, kept);
    return format.write_page({renamed.document(), trace, options, renamed.kept()}, writing);
  }
  return format.write(stage_figure(document, trace, options, kept), writing);
} catch (const std::out_of_range& problem) {
  return fail(ErrorType::kUsage, problem.what());
}

std::vector<StageOfHead> all_stages_of_heads(const attention::Problem& problem) {
  std::vector<StageOfHead> all;
  for (const attention::Stage stage : explain::pipeline_stages(problem)) {
    if (!attention::is_per_head(stage)) all.push_back({stage, std::nullopt});
    const attention::Index heads = attention::is_per_head(stage) ? problem.config.n_heads : 0;
    for (attention::Index head = 0; head < heads; ++head) all.push_back({stage, head});
  }
  return all;
}

std::vector<std::string> file_names(const std::vector<StageOfHead>& all,
                                    const std::string& ending) {
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const auto& [stage, head] : all)
    names.push_back(std::string(attention::stage_name(stage)) +
                    (head ? "-head-" + std::to_string(*head + 1) : "") + ending);
  return names;
}

}  // namespace lab::figure
