#include "app/figure/options_json.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "app/base/named.h"

namespace lab::figure {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 9> kKinds{
    "map", "heads", "pipeline", "two heads", "states", "lines", "arithmetic", "mean", "maximum"};
constexpr std::array<std::string_view, 4> kRules{"automatic", "shared", "robust", "fixed"};

template <typename Value>
concept Number = std::is_arithmetic_v<Value>;

// Writes a member; a number or text that is not there is left out, and so is a rule without a name
// here.
struct MemberWriter {
  json& look;
  std::string name;

  void operator()(Number auto value) const { look[name] = value; }
  template <Number Value>
  void operator()(const std::optional<Value>& value) const {
    if (value) look[name] = *value;
  }
  void operator()(const std::string& value) const { write_text(value); }
  void operator()(const std::optional<std::string>& value) const {
    if (value) write_text(*value);
  }
  void operator()(FigureKind kind) const { write_text(name_of_id(kKinds, kind)); }
  void operator()(RangeRule rule) const {
    if (static_cast<std::size_t>(rule) < kRules.size()) write_text(name_of_id(kRules, rule));
  }
  void operator()(Spread spread) const { write_text(spread_name(spread)); }
  void operator()(const std::optional<Palette>& palette) const {
    if (palette) write_text(palette_name(*palette));
  }
  void write_text(std::string_view text) const {
    if (!text.empty()) look[name] = text;
  }
};

// Reads a member. What may be absent becomes so when it is missing or wrong; the others stay.
struct MemberReader {
  const json& look;
  const LookOption& option;

  std::string_view text() const {
    const auto found = look.find(option.name);
    return found != look.end() && found->is_string()
               ? std::string_view(found->get_ref<const std::string&>())
               : std::string_view();
  }
  std::optional<double> number() const {
    const auto found = look.find(option.name);
    if (found == look.end() || !found->is_number()) return std::nullopt;
    return std::clamp(found->get<double>(), option.limits.least, option.limits.most);
  }

  void operator()(bool& value) const {
    const auto found = look.find(option.name);
    if (found != look.end() && found->is_boolean()) value = found->get<bool>();
  }
  void operator()(Number auto& value) const {
    if (const auto found = number()) value = static_cast<std::decay_t<decltype(value)>>(*found);
  }
  template <Number Value>
  void operator()(std::optional<Value>& value) const {
    value.reset();
    if (const auto found = number()) value = static_cast<Value>(*found);
  }
  void operator()(std::string& value) const { value = text(); }
  void operator()(std::optional<std::string>& value) const { value = text(); }
  void operator()(FigureKind& kind) const {
    kind = id_from_name<FigureKind>(kKinds, text()).value_or(kind);
  }
  void operator()(RangeRule& rule) const {
    rule = id_from_name<RangeRule>(kRules, text()).value_or(rule);
  }
  void operator()(Spread& spread) const { spread = spread_from_name(text()).value_or(spread); }
  void operator()(std::optional<Palette>& palette) const { palette = palette_from_name(text()); }
};

}  // namespace

std::string look_text(const FigureOptions& options) {
  FigureOptions kept = options;
  json look;
  for (const LookOption& option : kLookOptions) {
    const MemberWriter write{look, std::string(option.name)};
    if (!option.name.empty())
      std::visit([&](const auto member) { write(std::as_const(member(kept))); }, option.member);
  }
  return look.dump(-1, ' ', false, json::error_handler_t::replace);
}

FigureOptions with_look(FigureOptions options, std::string_view text) {
  const json look = json::parse(text, nullptr, false);
  if (!look.is_object()) return options;
  for (const LookOption& option : kLookOptions) {
    const MemberReader read{look, option};
    if (!option.name.empty())
      std::visit([&](const auto member) { read(member(options)); }, option.member);
  }
  return options;
}

}  // namespace lab::figure
