#include "app/figure/options_json.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "app/base/names.h"

namespace lab::figure {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 9> kKinds{
    "map", "heads", "pipeline", "two heads", "states", "lines", "arithmetic", "mean", "maximum"};
constexpr std::array<std::string_view, 4> kRules{"automatic", "shared", "robust", "fixed"};

/// Calls visit(name, member, least, most) for every number of the look.
template <typename Options, typename Visit>
void for_each_number(Options& options, Visit visit) {
  visit("low", options.range.lo, -1e30, 1e30);
  visit("high", options.range.hi, -1e30, 1e30);
  visit("decimals", options.decimals, 0, 9);
  visit("gap", options.gap, 0, 10);
  visit("width_mm", options.width_mm, 20, 1000);
  visit("dpi", options.dpi, 30, 2400);
  visit("font_size", options.font_size, 2, 72);
}

/// The same for every switch.
template <typename Options, typename Visit>
void for_each_switch(Options& options, Visit visit) {
  visit("numbers", options.annotate);
  visit("significant", options.significant);
  visit("colour_bar", options.colour_bar);
  visit("transparent", options.transparent);
  visit("row_labels", options.row_labels);
  visit("column_labels", options.column_labels);
  visit("letters", options.letters);
  visit("mark_overrides", options.marks.overrides);
}

std::string_view text_member(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string()
             ? std::string_view(found->get_ref<const std::string&>())
             : std::string_view();
}

std::optional<double> number_member(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_number() ? std::optional(found->get<double>())
                                                     : std::nullopt;
}

}  // namespace

std::string look_text(const FigureOptions& options) {
  json look{{"kind", name_of_id(kKinds, options.kind)}};
  // A rule without a name here is not kept.
  if (static_cast<std::size_t>(options.range_rule) < kRules.size())
    look["range"] = name_of_id(kRules, options.range_rule);
  look["spread"] = spread_name(options.spread);
  for_each_number(options,
                  [&](const char* name, auto value, double, double) { look[name] = value; });
  for_each_switch(options, [&](const char* name, bool value) { look[name] = value; });
  if (options.palette) look["palette"] = palette_name(*options.palette);
  if (options.centre) look["centre"] = *options.centre;
  if (options.height_mm) look["height_mm"] = *options.height_mm;
  if (!options.family.empty()) look["font"] = options.family;
  return look.dump(-1, ' ', false, json::error_handler_t::replace);
}

FigureOptions with_look(FigureOptions options, std::string_view text) {
  const json look = json::parse(text, nullptr, false);
  if (!look.is_object()) return options;
  options.kind = id_from_name<FigureKind>(kKinds, text_member(look, "kind")).value_or(options.kind);
  options.range_rule =
      id_from_name<RangeRule>(kRules, text_member(look, "range")).value_or(options.range_rule);
  options.spread = spread_from_name(text_member(look, "spread")).value_or(options.spread);
  for_each_number(options, [&](const char* name, auto& value, double least, double most) {
    using Number = std::remove_reference_t<decltype(value)>;
    if (const auto found = number_member(look, name))
      value = static_cast<Number>(std::clamp(*found, least, most));
  });
  for_each_switch(options, [&](const char* name, bool& value) {
    const auto found = look.find(name);
    if (found != look.end() && found->is_boolean()) value = found->get<bool>();
  });
  options.palette = palette_from_name(text_member(look, "palette"));
  options.family = text_member(look, "font");
  const auto centre = number_member(look, "centre"), height = number_member(look, "height_mm");
  options.centre = centre ? std::optional(static_cast<float>(*centre)) : std::nullopt;
  options.height_mm = height ? std::optional(std::clamp(*height, 20.0, 1000.0)) : std::nullopt;
  return options;
}

}  // namespace lab::figure
