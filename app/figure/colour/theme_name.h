#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "app/base/names.h"

namespace lab::figure {

/// The themes of the window. Figures are only light or dark.
enum class ThemeId {
  kLight,
  kDark,
  kHighContrast,  ///< white on black, every text at a contrast of 7 or more
};

/// Their names, in the same order.
inline constexpr std::array<std::string_view, 3> kThemeNames = {"light", "dark", "high-contrast"};

/// "light", "dark", "high-contrast".
inline std::string_view theme_name(ThemeId theme) { return name_of_id(kThemeNames, theme); }
/// The theme of that name, or nothing.
inline std::optional<ThemeId> theme_from_name(std::string_view name) {
  return id_from_name<ThemeId>(kThemeNames, name);
}
/// True for themes whose surfaces are dark.
inline bool is_dark(ThemeId theme) { return theme != ThemeId::kLight; }

}  // namespace lab::figure
