#pragma once

#include <imgui.h>

#include "app/figure/colour/palette.h"
#include "app/figure/colour/theme_name.h"

namespace lab {

/// The colours of the window; each has one meaning.
struct Theme {
  bool dark = false;
  Rgb page;    ///< behind the cards
  Rgb card;    ///< surface of cards, top bar and fields
  Rgb line;    ///< borders and separators
  Rgb button;  ///< quiet buttons and chips
  Rgb button_hover;
  Rgb text;
  Rgb dim;          ///< secondary text
  Rgb disabled;     ///< of what cannot be used now
  Rgb accent;       ///< active: focus, primary action
  Rgb on_accent;    ///< text on accent
  Rgb selected;     ///< selected: query, cell (orange)
  Rgb on_selected;  ///< text on selected
  Rgb right;        ///< answers that are right
  Rgb danger;       ///< messages about what went wrong
};

/// The colours of a theme.
const Theme& theme_for(ThemeId theme);

/// A colour as ImGui packs it, `alpha` from 0 to 1.
ImU32 pack(Rgb colour, float alpha = 1.0f);

/// Gives ImGui's own widgets (text fields, popups, scroll bars) the theme, at `scale`.
void apply_style(const Theme& theme, float scale);

}  // namespace lab
