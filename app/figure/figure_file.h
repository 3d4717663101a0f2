#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/figure/compose/stage_figure.h"
#include "app/figure/figure_writers.h"
#include "core/layer/trace.h"

namespace lab::figure {

/// The file that shows what `options` describe, in that format: the figure, or a page with every
/// stage of every head that opens with it. Fails with kUsage when this model has no such figure or
/// the format cannot hold it, with kBadInput when the page has a size that the format cannot have,
/// with kFailed when memory runs out.
Expected<std::string> figure_file(const Document& document, const attention::Trace& trace,
                                  const FigureOptions& options, const FigureFormat& format,
                                  const WriteOptions& writing, const Snapshot* kept = nullptr);

/// A stage of one head, or a stage that is one for all heads.
struct StageOfHead {
  attention::Stage stage = attention::Stage::kX;
  std::optional<attention::Index> head;  ///< from 0; nothing where all heads have one
};

/// Every stage that tells the computation (see pipeline_stages), of every head.
std::vector<StageOfHead> all_stages_of_heads(const attention::Problem& problem);

/// How files of them are called, in the same order: "weights-head-2.svg", "X.svg".
std::vector<std::string> file_names(const std::vector<StageOfHead>& all, const std::string& ending);

}  // namespace lab::figure
