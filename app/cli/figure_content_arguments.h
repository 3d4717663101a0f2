#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/figure_style_arguments.h"
#include "app/document/document.h"

namespace lab::cli {

/// The value of --head for the mean of the heads that are active.
inline constexpr std::string_view kMeanOfHeads = "mean";
/// The value of --head for the largest of their weights in each cell.
inline constexpr std::string_view kMaximumOfHeads = "max";

/// Command-line options for the tokens and labels of a figure.
struct FigureTokenArguments {
  std::string tokens, queries, keys;  ///< as chosen_tokens reads them; empty: all
  std::vector<std::string> names;     ///< "TOKEN=NAME"
  std::string labels = "all";
  bool letters = false;

  /// True when one of them is set.
  bool any() const { return *this != FigureTokenArguments(); }
  bool operator==(const FigureTokenArguments&) const = default;
};

/// Command-line options for the content of a figure.
struct FigureContentArguments {
  std::string type;   ///< empty: that of the preset, or "map"
  std::string stage;  ///< empty: the weights, or all with a preset of all
  std::string head;   ///< empty: the first head, or all with a preset of all
  std::string row, column;
  std::optional<double> share{};   ///< for kind lines
  std::string against;             ///< input of the other state; empty for no comparison
  std::vector<std::string> marks;  ///< "ROW,COL"
  FigureTokenArguments tokens;
  FigureStyleArguments style;
  bool operator==(const FigureContentArguments&) const = default;
};

/// Adds --stage, --head, --kind, --row, --col, --share, --against, --mark, --tokens, --queries,
/// --keys, --name, --labels and --letters, and the options of add_figure_style_options().
void add_figure_content_options(CLI::App& app, FigureContentArguments& arguments);

/// The options that can be checked without the document: kind, stage and style, where `preset` is
/// the look that they change. --stage all becomes FigureType::kPipeline. Fails with kUsage.
Expected<figure::FigureOptions> figure_content_options(const FigureContentArguments& arguments,
                                                       const figure::FigureOptions& preset);

/// Adds the options that depend on the document: heads, tokens, cells and marks. Fails with kUsage.
/// Precondition: the document has the stage.
Expected<figure::FigureOptions> figure_content_options(const FigureContentArguments& arguments,
                                                       figure::FigureOptions options,
                                                       const Document& document);

}  // namespace lab::cli
