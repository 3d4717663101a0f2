#pragma once

#include <array>
#include <optional>
#include <string>

#include "app/base/error.h"
#include "app/figure/figure_options.h"

namespace CLI {
class App;
}

namespace lab::cli {

/// The value of one option of kLookOptions on the command line.
struct OptionValue {
  std::optional<std::string> text;
  std::optional<double> number;
  bool on = false, off = false;  ///< of a switch; neither: as the preset
  bool operator==(const OptionValue&) const = default;
};

/// Command-line options for the appearance of a figure.
struct FigureStyleArguments {
  std::string preset;  ///< name of the look that the others change; empty: the default one
  std::array<OptionValue, std::size(figure::kLookOptions)> entered{};  ///< in that order
  bool operator==(const FigureStyleArguments&) const = default;

  /// True when --range is set; otherwise the range is chosen to suit the figure.
  bool chooses_range() const;
};

/// Adds --preset and the arguments of kLookOptions.
void add_figure_style_options(CLI::App& app, FigureStyleArguments& arguments);

/// `options`, the look of the preset, with what `arguments` change. Fails with kUsage and a message
/// that names the wrong option and what was expected.
Expected<figure::FigureOptions> figure_style_options(const FigureStyleArguments& arguments,
                                                     figure::FigureOptions options);

}  // namespace lab::cli
