#pragma once

#include <string>
#include <string_view>

#include "app/view/widgets/widgets.h"

namespace lab::view {

/// The normal text font if `text` fits into `width` in it, otherwise the small one.
inline const ImFont* fitting_font(const Ui& ui, std::string_view text, float width) {
  return text_width(ui, ui.fonts.text, text) <= width ? ui.fonts.text : ui.fonts.small;
}

/// The width that draw_formula needs for all of `markup`.
inline float formula_width(const Ui& ui, const std::string& markup) {
  const figure::TextRequest request{markup, true, figure::TextFace::kSerifItalic, ui.px(14), 0};
  return static_cast<float>(ui.labels.metrics(request).advance);
}

}  // namespace lab::view
