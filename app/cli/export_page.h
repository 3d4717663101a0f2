#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/model/model_arguments.h"
#include "app/handout/handout.h"
#include "app/translation/words.h"

namespace lab::cli {

/// Command-line options for the page that computes.
struct LivePageArguments {
  bool live = false;
  std::vector<std::string> with;  ///< lessons and models

  /// True when any was set.
  bool any() const { return live || !with.empty(); }
};

/// Adds --live and --with.
void add_live_page_options(CLI::App& app, LivePageArguments& arguments);

/// A page that computes, for export.
struct LivePageRequest {
  std::string input;
  ModelArguments model;
  LivePageArguments page;
  std::vector<std::string> outputs;
  std::optional<Language> language;  ///< that it opens in; unset: that of a lesson, or the reader's
};

/// Makes the page that opens with `input`, a lesson or what is opened as a session, and writes it.
/// Fails with kUsage when an output is no .html, with kBadInput when a lesson has mistakes, which
/// it prints, and as handout::handout_of() and handout::read_page() do.
Expected<void> export_live_page(const LivePageRequest& request);

/// What a page opens with. Fails as export_live_page() does.
Expected<handout::Handout> handout_of_input(const std::string& input,
                                            const ModelArguments& arguments);

}  // namespace lab::cli
