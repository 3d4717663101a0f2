#include "app/figure/options_json.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <variant>

#include "app/base/names.h"

namespace lab::figure {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 9> kTypes{
    "map", "heads", "pipeline", "two heads", "states", "lines", "arithmetic", "mean", "maximum"};
constexpr std::array<std::string_view, 4> kRules{"automatic", "shared", "robust", "fixed"};

std::string_view spelt(const std::string& text) { return text; }
std::string_view spelt(FigureType type) { return name_of_id(kTypes, type); }
// A rule without a name here is not kept.
std::string_view spelt(RangeRule rule) {
  return static_cast<std::size_t>(rule) < kRules.size() ? name_of_id(kRules, rule) : "";
}
std::string_view spelt(Spread spread) { return spread_name(spread); }
std::string_view spelt(Palette palette) { return palette_name(palette); }

void take_name(FigureType& type, std::string_view name) {
  type = id_from_name<FigureType>(kTypes, name).value_or(type);
}
void take_name(RangeRule& rule, std::string_view name) {
  rule = id_from_name<RangeRule>(kRules, name).value_or(rule);
}
void take_name(Spread& spread, std::string_view name) {
  spread = spread_from_name(name).value_or(spread);
}
void take_name(std::string& text, std::string_view name) { text = name; }
void take_name(std::optional<std::string>& text, std::string_view name) { text = name; }
void take_name(std::optional<Palette>& palette, std::string_view name) {
  palette = palette_from_name(name);
}

// Numbers and texts that are not there are left out.
template <typename Value>
void write_member(json& look, const std::string& name, const Value& value) {
  if constexpr (std::is_arithmetic_v<Value>) {
    look[name] = value;
  } else if constexpr (requires { value.has_value(); }) {
    if (value) write_member(look, name, *value);
  } else if (!spelt(value).empty()) {
    look[name] = spelt(value);
  }
}

// What is missing, which is null here, or wrong stays; what may be absent is so then.
template <typename Value>
void read_member(const json& found, const LookOption::Limits& limits, Value& value) {
  if constexpr (std::is_same_v<Value, bool>) {
    if (found.is_boolean()) value = found.get<bool>();
  } else if constexpr (std::is_convertible_v<double, Value>) {
    if (found.is_number())
      value = static_cast<Value>(std::clamp(found.get<double>(), limits.least, limits.most));
    else if constexpr (!std::is_arithmetic_v<Value>)
      value.reset();
  } else {
    take_name(value,
              found.is_string() ? std::string_view(found.get_ref<const std::string&>()) : "");
  }
}

}  // namespace

std::string look_text(const FigureOptions& options) {
  FigureOptions kept = options;
  json look;
  for (const LookOption& option : kLookOptions) {
    const std::string name(option.name);
    if (!name.empty())
      std::visit([&](const auto member) { write_member(look, name, member(kept)); }, option.member);
  }
  return look.dump(-1, ' ', false, json::error_handler_t::replace);
}

FigureOptions with_look(FigureOptions options, std::string_view text) {
  const json look = json::parse(text, nullptr, false);
  if (!look.is_object()) return options;
  for (const LookOption& option : kLookOptions) {
    if (option.name.empty()) continue;
    const json found = look.value(option.name, json());
    std::visit([&](const auto member) { read_member(found, option.limits, member(options)); },
               option.member);
  }
  return options;
}

}  // namespace lab::figure
