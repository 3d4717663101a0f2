#pragma once

#include <optional>
#include <string>

#include "app/base/error.h"
#include "app/figure/compose/stage_figure.h"

namespace CLI {
class App;
}

namespace lab::cli {

/// How a figure looks, as given on the command line.
struct LookArguments {
  std::string palette;
  std::optional<std::string> range{};  ///< nothing: what suits the figure
  std::string centre;
  std::string width = "89";
  std::optional<double> height{};     ///< in millimetres; nothing: as the width asks
  std::optional<double> font_size{};  ///< in points; nothing: as the width asks
  bool no_bar = false;
  bool annotate = false;
  std::string format = ".2f";
  std::string theme = "light";
  figure::FigureOptions options;  ///< the sizes and the title go straight in here
};

/// Adds --palette, --range, --centre, --annot, --fmt, --no-bar, --gap, --width-mm, --height-mm,
/// --dpi, --font,
/// --font-size, --title, --theme, --transparent and --overrides.
void add_look_options(CLI::App& app, LookArguments& arguments);

/// The options they stand for; stage and head are left as they are in `arguments.options`. Fails
/// with kUsage saying which is wrong and what it should be.
Expected<figure::FigureOptions> look_options(const LookArguments& arguments);

}  // namespace lab::cli
