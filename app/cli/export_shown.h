#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/model/model_arguments.h"
#include "app/figure/figure_options.h"

namespace lab::cli {

/// What export --show asks about.
struct ShowArguments {
  std::string subject;  ///< "knock-out"; empty: not set
  std::optional<std::string> answer;
  std::optional<std::uint32_t> answer_id;
  std::optional<int> top;

  /// True when any was set.
  bool any() const { return !subject.empty() || answer || answer_id || top; }
};

/// Adds --show, --answer, --answer-id and --top.
void add_show_options(CLI::App& app, ShowArguments& arguments);

/// A figure of a whole model, for export --show.
struct ShownRequest {
  std::string input;
  ModelArguments model;
  ShowArguments show;
  std::optional<std::string> row;  ///< --row
  std::vector<std::string> outputs;
  figure::FigureOptions figure;  ///< its look
  bool bare = false;             ///< does not embed the session
};

/// Makes all files, then writes them: figures, pages, .csv and .json, which for direct, knock-out,
/// rollout, labels and the lens of a row is that of `attribute`. Fails with kUsage when options do
/// not fit together, and as attribution_report(), predictions() and writing do.
Expected<void> export_shown(const ShownRequest& request);

}  // namespace lab::cli
