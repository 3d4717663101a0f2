#include "app/figure/colour/theme_name.h"

#include "app/base/named.h"

namespace lab::figure {
namespace {

constexpr std::array<std::string_view, 3> kNames = {"light", "dark", "high-contrast"};

}  // namespace

std::string_view theme_name(ThemeId theme) { return name_of_id(kNames, theme); }
std::optional<ThemeId> theme_from_name(std::string_view name) {
  return id_from_name<ThemeId>(kNames, name);
}
bool is_dark(ThemeId theme) { return theme != ThemeId::kLight; }

}  // namespace lab::figure
