#pragma once

#include <string>
#include <vector>

#include "app/base/error.h"
#include "app/document/document.h"
#include "app/figure/figure_options.h"

namespace CLI {
class App;
}

namespace lab::cli {

/// Command-line options for the tokens and labels of a figure.
struct FigureTokenArguments {
  std::string tokens, queries, keys;  ///< as chosen_tokens reads them; empty: all
  std::vector<std::string> names;     ///< "TOKEN=NAME"
  std::string labels = "all";
  bool letters = false;

  /// True when one of them is given.
  bool any() const { return *this != FigureTokenArguments(); }
  bool operator==(const FigureTokenArguments&) const = default;
};

/// Adds --tokens, --queries, --keys, --name, --labels and --letters.
void add_figure_token_options(CLI::App& app, FigureTokenArguments& arguments);

/// Reads the options that can be checked without the document: --labels and --letters. Fails with
/// kUsage.
Expected<void> read_labels(const FigureTokenArguments& arguments, figure::FigureOptions& options);

/// Reads the others. Fails with kUsage.
Expected<void> read_tokens(const FigureTokenArguments& arguments, const Document& document,
                           figure::FigureOptions& options);

}  // namespace lab::cli
