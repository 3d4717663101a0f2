#pragma once

#include <string>
#include <string_view>

#include "app/view/widgets/widgets.h"

namespace lab::view {

/// The font of text where `text` has room for it in `width`, else the small one.
inline const ImFont* fitting_font(const Ui& ui, std::string_view text, float width) {
  return text_width(ui, ui.fonts.text, text) <= width ? ui.fonts.text : ui.fonts.small;
}

/// Width that draw_formula wants for all of `markup`.
inline float formula_width(const Ui& ui, const std::string& markup) {
  const figure::TextRequest request{markup, true, figure::TextFace::kSerifItalic, ui.px(14), 0};
  return static_cast<float>(ui.labels.metrics(request).advance);
}

}  // namespace lab::view
