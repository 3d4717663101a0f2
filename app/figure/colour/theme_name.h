#pragma once

#include <optional>
#include <string_view>

namespace lab::figure {

/// The themes of the window. Figures are only light or dark.
enum class ThemeId {
  kLight,
  kDark,
  kHighContrast,  ///< white on black, every text at a contrast of 7 or more
};

/// "light", "dark", "high-contrast".
std::string_view theme_name(ThemeId theme);
/// The theme of that name, or nothing.
std::optional<ThemeId> theme_from_name(std::string_view name);
/// True for themes whose surfaces are dark.
bool is_dark(ThemeId theme);

}  // namespace lab::figure
