#pragma once

#include <optional>
#include <string_view>

#include "app/figure/figure_options.h"

namespace lab::figure {

/// The page size that a journal or a projector requires, and the font size that suits it.
struct PagePreset {
  std::string_view name;  ///< as it is written on the command line
  double width_mm = 0;
  std::optional<double> height_mm{};  ///< at most; unset: no limit
  double font_size = 7;               ///< points
};

/// From narrow to wide; "slide" has the format 16:9.
inline constexpr PagePreset kPagePresets[] = {{"column", 89, {}, 7},
                                              {"text", 5.5 * 25.4, {}, 7},
                                              {"page", 183, {}, 7},
                                              {"slide", 13.333 * 25.4, 7.5 * 25.4, 18}};

/// Sets the page size; the font size is left as it is.
inline void use_page(FigureOptions& options, const PagePreset& preset) {
  options.width_mm = preset.width_mm;
  options.height_mm = preset.height_mm;
}

}  // namespace lab::figure
