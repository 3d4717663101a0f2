#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/look_arguments.h"
#include "app/document/document.h"

namespace lab::cli {

/// What a figure shows, as given on the command line.
struct FigureArguments {
  std::string kind = "map";
  std::string stage = "weights";
  std::string head;  ///< empty: the first
  std::string row, column;
  std::optional<double> share{};   ///< of kind lines
  std::string against;             ///< the state A that IN is compared with; empty: none
  std::vector<std::string> marks;  ///< "ROW,COL"
  LookArguments look;
};

/// Adds --stage, --head, --kind, --row, --col, --share, --against and --mark, and the options of
/// figures.
void add_figure_options(CLI::App& app, FigureArguments& arguments);

/// What can be judged without the document: the kind, the stage and how the figure looks. --stage
/// all is FigureKind::kPipeline. Fails with kUsage.
Expected<figure::FigureOptions> figure_options(const FigureArguments& arguments);

/// Adds what needs the document, where IN has such a stage: heads, cells and marks. Fails with
/// kUsage.
Expected<figure::FigureOptions> figure_options(const FigureArguments& arguments,
                                               figure::FigureOptions options,
                                               const Document& document);

}  // namespace lab::cli
