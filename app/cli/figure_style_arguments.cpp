#include "app/cli/figure_style_arguments.h"

#include <CLI/CLI.hpp>
#include <type_traits>
#include <variant>

#include "app/base/bad_input.h"
#include "app/cli/arguments.h"
#include "app/cli/verb.h"
#include "app/figure/page_size.h"
#include "app/figure/text/figure_text.h"

namespace lab::cli {
namespace {

Expected<void> read_palette(const std::string& name, figure::FigureOptions& options) {
  options.palette = figure::palette_from_name(name);
  if (options.palette) return {};
  std::string names;
  for (const figure::Palette palette : figure::all_palettes()) {
    names += (names.empty() ? "" : ", ") + std::string(figure::palette_name(palette));
  }
  return fail(ErrorType::kUsage,
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
    return fail(ErrorType::kUsage, "--range is " + in_quotes(text) +
                                       " but should be auto, shared, robust or MIN,MAX with MIN "
                                       "below MAX, "
                                       "such as 0,1");
  }
  options.range_rule = figure::RangeRule::kFixed;
  options.range = *range;
  return {};
}

Expected<void> read_spread(const std::string& name, figure::FigureOptions& options) {
  const auto spread = figure::spread_from_name(name);
  if (spread) options.spread = *spread;
  if (spread) return {};
  return fail(ErrorType::kUsage,
              "--spread is " + in_quotes(name) + " but should be linear, sqrt or log");
}

Expected<void> read_format(const std::string& text, figure::FigureOptions& options) {
  const bool shaped = text.size() == 3 && text[0] == '.' && text[1] >= '0' && text[1] <= '9' &&
                      (text[2] == 'f' || text[2] == 'g');
  const bool significant = shaped && text[2] == 'g';
  if (!shaped || (significant && text[1] == '0')) {
    return fail(ErrorType::kUsage, "--fmt is " + in_quotes(text) +
                                       " but should be such as .2f (two decimals) or .2g (two "
                                       "significant digits)");
  }
  options.decimals = text[1] - '0';
  options.significant = significant;
  options.exact = true;
  return {};
}

Expected<void> read_centre(const std::string& text, figure::FigureOptions& options) {
  options.centre = finite_number(text);
  if (options.centre) return {};
  return fail(ErrorType::kUsage, "--centre is " + in_quotes(text) + " but should be a number");
}

// A page size by name sets the width, and the height and font size that belong to it.
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
  return fail(ErrorType::kUsage, "--width-mm is " + in_quotes(text) +
                                     " but should be a number of millimetres, or column, page, "
                                     "text or slide");
}

// A substituted font is noted.
void tell_of_missing_font(const std::string& family) {
  if (!family.empty() && !figure::is_font_family(family))
    print_note("--font: " + in_quotes(family) + " is not installed; using another font instead");
}

Expected<void> read_theme(const std::string& name, figure::FigureOptions& options) {
  const auto dark = parse_theme(name);
  if (!dark) return tl::make_unexpected(dark.error());
  options.dark = *dark;
  return {};
}

// The arguments that are read in a custom way, in the order in which they are refused.
struct CustomReader {
  std::string_view name;
  Expected<void> (*read)(const std::string& text, figure::FigureOptions& options);
  bool empty = false;  // an empty text is read too
};
constexpr CustomReader kCustomReaders[] = {{"--palette", read_palette},   {"--theme", read_theme},
                                           {"--range", read_range, true}, {"--spread", read_spread},
                                           {"--fmt", read_format},        {"--centre", read_centre},
                                           {"--width-mm", read_width}};

const CustomReader* custom_reader(const figure::LookOption& option) {
  for (const CustomReader& custom : kCustomReaders)
    if (custom.name == option.argument.name) return &custom;
  return nullptr;
}

const std::optional<std::string>& entered_text(const FigureStyleArguments& arguments,
                                               std::string_view name) {
  std::size_t index = 0;
  while (figure::kLookOptions[index].argument.name != name) ++index;
  return arguments.entered[index].text;
}

void add_switch(CLI::App& app, const figure::LookOption& option, OptionValue& entered) {
  const auto add = [&app](const figure::LookOption::Argument& argument, bool& value) {
    return argument.name.empty() ? nullptr
                                 : app.add_flag(std::string(argument.name), value, argument.help)
                                       ->group("For figures");
  };
  CLI::Option* const on = add(option.argument, entered.on);
  CLI::Option* const off = add(option.off, entered.off);
  if (on != nullptr && off != nullptr) off->excludes(on);
}

void add_text(CLI::App& app, const figure::LookOption& option, OptionValue& entered) {
  const CustomReader* const custom = custom_reader(option);
  const bool empty = custom == nullptr || custom->empty;
  const auto take = [&entered, empty](const std::string& text) {
    if (empty || !text.empty()) entered.text = text;
  };
  app.add_option_function<std::string>(std::string(option.argument.name), take,
                                       option.argument.help)
      ->type_name(option.argument.type)
      ->group("For figures");
}

template <typename Value>
constexpr bool kIsNumber = std::is_convertible_v<double, Value>;  // or may be absent

void add_look_option(CLI::App& app, const figure::LookOption& option, OptionValue& entered) {
  const auto add = [&]<typename Value>(Value& (*)(figure::FigureOptions&)) {
    if constexpr (std::is_same_v<Value, bool>) {
      if (option.argument.type == nullptr) return add_switch(app, option, entered);
    }
    if (option.argument.name.empty()) return;
    if (!kIsNumber<Value> || custom_reader(option) != nullptr)
      return add_text(app, option, entered);
    app.add_option(std::string(option.argument.name), entered.number, option.argument.help)
        ->type_name(option.argument.type)
        ->group("For figures");
  };
  std::visit(add, option.member);
}

// Takes the value of an option that has no custom reader.
Expected<void> take_entered(const figure::LookOption& option, const OptionValue& entered,
                            figure::FigureOptions& options) {
  const auto take = [&]<typename Value>(Value& (*member)(figure::FigureOptions&)) {
    Value& value = member(options);
    if constexpr (std::is_same_v<Value, bool>) {
      value = (value || entered.on) && !entered.off;
    } else if constexpr (kIsNumber<Value>) {
      if (entered.number) value = static_cast<Value>(*entered.number);
    } else if constexpr (std::is_assignable_v<Value&, std::string>) {
      if (entered.text) value = *entered.text;
    }
  };
  if (entered.number) {
    const auto [least, most] = option.limits;
    if (auto fits = check_between(option.argument.name.data(), *entered.number, least, most); !fits)
      return fits;
  }
  std::visit(take, option.member);
  return {};
}

}  // namespace

bool FigureStyleArguments::chooses_range() const {
  return entered_text(*this, "--range").has_value();
}

void add_figure_style_options(CLI::App& app, FigureStyleArguments& arguments) {
  app.add_option("--preset", arguments.preset,
                 "the look that the export dialog of the window keeps under this\n"
                 "name; the other options change it")
      ->type_name("NAME")
      ->group("For figures");
  for (std::size_t i = 0; i < arguments.entered.size(); ++i)
    add_look_option(app, figure::kLookOptions[i], arguments.entered[i]);
}

Expected<figure::FigureOptions> figure_style_options(const FigureStyleArguments& arguments,
                                                     figure::FigureOptions options) {
  for (const CustomReader& custom : kCustomReaders) {
    const auto& text = entered_text(arguments, custom.name);
    if (!text) continue;
    if (auto read = custom.read(*text, options); !read) return tl::make_unexpected(read.error());
  }
  for (std::size_t i = 0; i < arguments.entered.size(); ++i) {
    const figure::LookOption& option = figure::kLookOptions[i];
    if (custom_reader(option) != nullptr) continue;
    if (auto taken = take_entered(option, arguments.entered[i], options); !taken)
      return tl::make_unexpected(taken.error());
  }
  tell_of_missing_font(options.family);
  return options;
}

}  // namespace lab::cli
