#pragma once

#include <optional>
#include <string_view>

#include "app/figure/figure_options.h"

namespace lab::figure {

/// The size of a page that a journal or a projector asks for, and of the letters that suit it.
struct PagePreset {
  std::string_view name;  ///< as it is written on the command line
  double width_mm = 0;
  std::optional<double> height_mm{};  ///< at most; nothing: as high as it becomes
  double font_size = 7;               ///< points
};

/// From narrow to wide; "slide" is one of 16:9.
inline constexpr PagePreset kPagePresets[] = {{"column", 89, {}, 7},
                                              {"text", 5.5 * 25.4, {}, 7},
                                              {"page", 183, {}, 7},
                                              {"slide", 13.333 * 25.4, 7.5 * 25.4, 18}};

/// Gives the page that size; the letters are left as they are.
inline void use_page(FigureOptions& options, const PagePreset& preset) {
  options.width_mm = preset.width_mm;
  options.height_mm = preset.height_mm;
}

}  // namespace lab::figure
