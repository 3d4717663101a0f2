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
  std::string palette;
  std::optional<std::string> range{};  ///< nothing: chosen to suit the figure
  std::string spread = "linear";
  std::string centre;
  std::string width = "89";
  std::optional<double> height{};     ///< in millimetres; nothing: follows from the width
  std::optional<double> font_size{};  ///< in points; nothing: follows from the width
  bool no_bar = false;
  bool annotate = false;
  std::string format{};  ///< empty: two decimals, more for small numbers
  std::string theme = "light";
  figure::FigureOptions options;  ///< sizes and title are parsed directly into this
};

/// Adds --palette, --range, --spread, --centre, --annot, --fmt, --no-bar, --gap, --width-mm,
/// --height-mm,
/// --dpi, --font, --font-size, --title, --theme, --transparent and --overrides.
void add_figure_style_options(CLI::App& app, FigureStyleArguments& arguments);

/// The figure options that `arguments` describe; stage and head stay as in `arguments.options`.
/// Fails with kUsage and a message that names the wrong option and what was expected.
Expected<figure::FigureOptions> figure_style_options(const FigureStyleArguments& arguments);

}  // namespace lab::cli
