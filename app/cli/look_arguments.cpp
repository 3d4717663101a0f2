#include "app/cli/look_arguments.h"

#include <CLI/CLI.hpp>

#include "app/base/bad_input.h"
#include "app/cli/arguments.h"
#include "app/cli/verb.h"
#include "app/figure/page_size.h"
#include "app/figure/text/font_families.h"

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

Expected<void> read_range(const std::string& text, figure::FigureOptions& options) {
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

Expected<void> read_format(const std::string& text, figure::FigureOptions& options) {
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
  return {};
}

Expected<void> read_centre(const std::string& text, figure::FigureOptions& options) {
  if (text.empty()) return {};
  options.centre = finite_number(text);
  if (options.centre) return {};
  return fail(ErrorKind::kUsage, "--centre is " + in_quotes(text) + " but should be a number");
}

// The page's width, with the height and the letters that belong to its name.
Expected<void> read_width(const std::string& text, figure::FigureOptions& options) {
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

// Letters of another font are not used in silence.
void tell_of_missing_font(const std::string& family) {
  if (!family.empty() && !figure::is_font_family(family))
    tell("--font: " + in_quotes(family) + " is not installed here; another font stands in for it");
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

}  // namespace

void add_look_options(CLI::App& app, LookArguments& arguments) {
  const auto figures = [&app](const char* name, auto& value, const char* type, const char* text) {
    return app.add_option(name, value, text)->type_name(type)->group("For figures");
  };
  figure::FigureOptions& options = arguments.options;
  figures("--palette", arguments.palette, "P",
          "viridis, cividis, magma, blues or red-blue (what suits the stage)");
  figures("--range", arguments.range, "R",
          "what the colours span: auto (each map its own), shared (all heads\n"
          "one), robust (without 2 % at both ends) or MIN,MAX (auto; of all\n"
          "heads shared)");
  figures("--centre", arguments.centre, "C", "widen that to be even about C");
  app.add_flag("--annot", arguments.annotate, "write the numbers into the cells")
      ->group("For figures");
  figures("--fmt", arguments.format, "F",
          "of those numbers: .2f two decimals, .2g two significant digits (.2f)");
  app.add_flag("--no-bar", arguments.no_bar, "leave out the colour bar")->group("For figures");
  figures("--gap", options.gap, "G", "between the heads of a grid, 0 to 10 times the usual (1)");
  figures("--width-mm", arguments.width, "MM",
          "width in millimetres, 20 to 1000, or column (89), page (183),\n"
          "text (5.5 in) or slide (16:9, 13.33 in) (column)");
  figures("--height-mm", arguments.height, "MM",
          "at most that high, 20 to 1000 (a slide 7.5 in; else as it comes)");
  figures("--dpi", options.dpi, "DPI", "dots per inch, 30 to 2400 (300)");
  figures("--font", options.family, "NAME",
          "family of the text (Liberation Sans, as wide as Arial)");
  figures("--font-size", arguments.font_size, "PT",
          "size of the text in points, 2 to 72 (7, for a slide 18)");
  figures("--title", options.title, "T", "title (the name of the stage); \"\" for none");
  figures("--theme", arguments.theme, "THEME", "light or dark (light)");
  app.add_flag("--transparent", options.transparent, "no background")->group("For figures");
  app.add_flag("--overrides", options.marks.overrides, "mark the numbers that were put by hand")
      ->group("For figures");
}

Expected<figure::FigureOptions> look_options(const LookArguments& arguments) {
  figure::FigureOptions options = arguments.options;
  options.annotate = arguments.annotate;
  options.colour_bar = !arguments.no_bar;
  const auto dark = parse_theme(arguments.theme);
  if (!dark) return tl::make_unexpected(dark.error());
  options.dark = *dark;
  for (const Expected<void>& read :
       {read_palette(arguments.palette, options),
        read_range(arguments.range.value_or("auto"), options),
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
