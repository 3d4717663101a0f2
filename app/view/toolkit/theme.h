#pragma once

#include <imgui.h>

#include "app/figure/colour/palette.h"
#include "app/figure/colour/theme_name.h"

namespace lab::view {

/// The colours of the window; each has one meaning.
struct Theme {
  bool dark = false;
  figure::Rgb page;    ///< behind the cards
  figure::Rgb card;    ///< surface of cards, top bar and fields
  figure::Rgb line;    ///< borders and separators
  figure::Rgb button;  ///< quiet buttons and chips
  figure::Rgb button_hover;
  figure::Rgb text;
  figure::Rgb dim;          ///< secondary text
  figure::Rgb disabled;     ///< text of disabled widgets
  figure::Rgb accent;       ///< active: focus, primary action
  figure::Rgb on_accent;    ///< text on accent
  figure::Rgb selected;     ///< selected: query, cell (orange)
  figure::Rgb on_selected;  ///< text on selected
  figure::Rgb right;        ///< answers that are right
  figure::Rgb danger;       ///< error messages
};

/// The colours of a theme.
const Theme& theme_for(figure::ThemeId theme);

/// A colour in ImGui's packed form, `alpha` from 0 to 1.
ImU32 pack(figure::Rgb colour, float alpha = 1.0f);

/// Applies the theme to ImGui's own widgets (text fields, popups, scroll bars), at `scale`.
void apply_style(const Theme& theme, float scale);

}  // namespace lab::view
