#include "app/cli/figure_style_arguments.h"

#include <CLI/CLI.hpp>

#include "app/base/bad_input.h"
#include "app/cli/arguments.h"
#include "app/cli/verb.h"
#include "app/figure/page_size.h"
#include "app/figure/text/figure_text.h"

namespace lab::cli {
namespace {

Expected<void> read_palette(const std::string& name, figure::FigureOptions& options) {
  if (name.empty()) return {};
  options.palette = figure::palette_from_name(name);
  if (options.palette) return {};
  std::string names;
  for (const figure::Palette palette : figure::all_palettes()) {
    names += (names.empty() ? "" : ", ") + std::string(figure::palette_name(palette));
  }
  return fail(ErrorKind::kUsage,
              "--palette is " + in_quotes(name) + " but should be one of " + names);
}

std::optional<figure::Range> read_limits(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const auto lo = finite_number(text.substr(0, comma));
  const auto hi = finite_number(text.substr(comma + 1));
  if (!lo || !hi || !(*lo < *hi)) return std::nullopt;
  return figure::Range{*lo, *hi};
}

Expected<void> read_range(const std::optional<std::string>& given, figure::FigureOptions& options) {
  if (!given) return {};
  const std::string& text = *given;
  constexpr std::pair<std::string_view, figure::RangeRule> kRules[] = {
      {"auto", figure::RangeRule::kAutomatic},
      {"shared", figure::RangeRule::kShared},
      {"robust", figure::RangeRule::kRobust}};
  for (const auto& [name, rule] : kRules) {
    if (text != name) continue;
    options.range_rule = rule;
    return {};
  }
  const auto range = read_limits(text);
  if (!range) {
    return fail(ErrorKind::kUsage, "--range is " + in_quotes(text) +
                                       " but should be auto, shared, robust or MIN,MAX with MIN "
                                       "below MAX, "
                                       "such as 0,1");
  }
  options.range_rule = figure::RangeRule::kFixed;
  options.range = *range;
  return {};
}

Expected<void> read_spread(const std::string& name, figure::FigureOptions& options) {
  if (name.empty()) return {};
  const auto spread = figure::spread_from_name(name);
  if (spread) options.spread = *spread;
  if (spread) return {};
  return fail(ErrorKind::kUsage,
              "--spread is " + in_quotes(name) + " but should be linear, sqrt or log");
}

Expected<void> read_format(const std::string& text, figure::FigureOptions& options) {
  if (text.empty()) return {};
  const bool shaped = text.size() == 3 && text[0] == '.' && text[1] >= '0' && text[1] <= '9' &&
                      (text[2] == 'f' || text[2] == 'g');
  const bool significant = shaped && text[2] == 'g';
  if (!shaped || (significant && text[1] == '0')) {
    return fail(ErrorKind::kUsage, "--fmt is " + in_quotes(text) +
                                       " but should be such as .2f (two decimals) or .2g (two "
                                       "significant digits)");
  }
  options.decimals = text[1] - '0';
  options.significant = significant;
  options.exact = true;
  return {};
}

Expected<void> read_centre(const std::string& text, figure::FigureOptions& options) {
  if (text.empty()) return {};
  options.centre = finite_number(text);
  if (options.centre) return {};
  return fail(ErrorKind::kUsage, "--centre is " + in_quotes(text) + " but should be a number");
}

// A page size by name sets the width, and the height and font size that belong to it.
Expected<void> read_width(const std::string& text, figure::FigureOptions& options) {
  if (text.empty()) return {};
  for (const figure::PagePreset& preset : figure::kPagePresets) {
    if (text != preset.name) continue;
    figure::use_page(options, preset);
    options.font_size = preset.font_size;
    return {};
  }
  const auto width = finite_number(text);
  if (width) options.width_mm = *width;
  if (width) return check_between("--width-mm", *width, 20, 1000);
  return fail(ErrorKind::kUsage, "--width-mm is " + in_quotes(text) +
                                     " but should be a number of millimetres, or column, page, "
                                     "text or slide");
}

// A substituted font is noted.
void tell_of_missing_font(const std::string& family) {
  if (!family.empty() && !figure::is_font_family(family))
    print_note("--font: " + in_quotes(family) + " is not installed; using another font instead");
}

Expected<void> read_height(const std::optional<double>& height, figure::FigureOptions& options) {
  if (!height) return {};
  options.height_mm = height;
  return check_between("--height-mm", *height, 20, 1000);
}

Expected<void> read_letters(const std::optional<double>& size, figure::FigureOptions& options) {
  if (!size) return {};
  options.font_size = *size;
  return check_between("--font-size", *size, 2, 72);
}

Expected<void> read_theme(const std::string& name, figure::FigureOptions& options) {
  if (name.empty()) return {};
  const auto dark = parse_theme(name);
  if (!dark) return tl::make_unexpected(dark.error());
  options.dark = *dark;
  return {};
}

// What needs no reading; the rest of `options` is as in the preset.
void use_given(const FigureStyleArguments& arguments, figure::FigureOptions& options) {
  options.annotate |= arguments.annotate;
  options.transparent |= arguments.transparent;
  if (arguments.overrides) options.marks.overrides = true;
  if (arguments.no_overrides) options.marks.overrides = false;
  if (arguments.no_bar) options.colour_bar = false;
  options.gap = arguments.gap.value_or(options.gap);
  options.dpi = arguments.dpi.value_or(options.dpi);
  options.family = arguments.family.value_or(options.family);
  if (arguments.title) options.title = arguments.title;
}

}  // namespace

void add_figure_style_options(CLI::App& app, FigureStyleArguments& arguments) {
  const auto add = [&app](const char* name, auto& value, const char* type, const char* text) {
    return app.add_option(name, value, text)->type_name(type)->group("For figures");
  };
  add("--preset", arguments.preset, "NAME",
      "the look that the export dialog of the window keeps under this\n"
      "name; the other options change it");
  add("--palette", arguments.palette, "P",
      "viridis, cividis, magma, blues or red-blue (depends on the stage)");
  add("--range", arguments.range, "R",
      "range of the colours: auto (one for each map), shared (one for\n"
      "all heads), robust (ignoring 2 % at each end) or MIN,MAX (auto;\n"
      "shared with --head all)");
  add("--spread", arguments.spread, "S",
      "how the colours are spread over it: linear, sqrt or log (linear)");
  add("--centre", arguments.centre, "C", "extend the range to be symmetric about C");
  app.add_flag("--annot", arguments.annotate, "write the number into each cell")
      ->group("For figures");
  add("--fmt", arguments.format, "F",
      "format of those numbers: .2f for two decimals, .2g for two\n"
      "significant digits (.2f, with 7.1e-3 for small numbers)");
  app.add_flag("--no-bar", arguments.no_bar, "leave out the colour bar")->group("For figures");
  add("--gap", arguments.gap, "G",
      "gap between the heads of a grid, 0 to 10 times the default (1)");
  add("--width-mm", arguments.width, "MM",
      "width in millimetres, 20 to 1000, or column (89), page (183),\n"
      "text (5.5 in) or slide (16:9, 13.33 in) (column)");
  add("--height-mm", arguments.height, "MM",
      "maximum height, 20 to 1000 (7.5 in for a slide; otherwise none)");
  add("--dpi", arguments.dpi, "DPI", "dots per inch, 30 to 2400 (300)");
  add("--font", arguments.family, "NAME", "font family (Liberation Sans, same widths as Arial)");
  add("--font-size", arguments.font_size, "PT", "font size in points, 2 to 72 (7; 18 for a slide)");
  add("--title", arguments.title, "T", "title (the name of the stage); \"\" for no title");
  add("--theme", arguments.theme, "THEME", "light or dark (light)");
  app.add_flag("--transparent", arguments.transparent, "no background")->group("For figures");
  const auto add_flag = [&app](const char* name, bool& value, const char* text) {
    return app.add_flag(name, value, text)->group("For figures");
  };
  CLI::Option* marked = add_flag("--overrides", arguments.overrides,
                                 "mark overridden numbers although the preset does not");
  add_flag("--no-overrides", arguments.no_overrides, "do not mark overridden numbers")
      ->excludes(marked);
}

Expected<figure::FigureOptions> figure_style_options(const FigureStyleArguments& arguments,
                                                     figure::FigureOptions options) {
  use_given(arguments, options);
  for (const Expected<void>& read :
       {read_palette(arguments.palette, options), read_theme(arguments.theme, options),
        read_range(arguments.range, options), read_spread(arguments.spread, options),
        read_format(arguments.format, options), read_centre(arguments.centre, options),
        read_width(arguments.width, options), check_between("--gap", options.gap, 0, 10),
        check_between("--dpi", options.dpi, 30, 2400), read_height(arguments.height, options),
        read_letters(arguments.font_size, options)}) {
    if (!read) return tl::make_unexpected(read.error());
  }
  tell_of_missing_font(options.family);
  return options;
}

}  // namespace lab::cli
