#pragma once

#include <optional>
#include <string>

#include "app/base/error.h"
#include "app/figure/compose/stage_figure.h"

namespace CLI {
class App;
}

namespace lab::cli {

/// Command-line options for the appearance of a figure.
struct FigureStyleArguments {
  std::string preset;  ///< name of the look that the others change; empty: the default one
  std::string palette;
  std::optional<std::string> range{};  ///< nothing: chosen to suit the figure
  std::string spread;
  std::string centre;
  std::string width;
  std::optional<double> height{};     ///< in millimetres; nothing: follows from the width
  std::optional<double> font_size{};  ///< in points; nothing: follows from the width
  bool no_bar = false;
  bool annotate = false;
  std::string format{};  ///< empty: two decimals, more for small numbers
  std::string theme;
  std::optional<double> gap{}, dpi{};
  std::optional<std::string> family{}, title{};
  bool transparent = false;
  bool overrides = false, no_overrides = false;  ///< neither: as the preset; it marks them
  bool operator==(const FigureStyleArguments&) const = default;
};

/// Adds --preset, --palette, --range, --spread, --centre, --annot, --fmt, --no-bar, --gap,
/// --width-mm, --height-mm, --dpi, --font, --font-size, --title, --theme, --transparent and
/// --no-overrides, and --overrides.
void add_figure_style_options(CLI::App& app, FigureStyleArguments& arguments);

/// `options`, the look of the preset, with what `arguments` change. Fails with kUsage and a message
/// that names the wrong option and what was expected.
Expected<figure::FigureOptions> figure_style_options(const FigureStyleArguments& arguments,
                                                     figure::FigureOptions options);

}  // namespace lab::cli
