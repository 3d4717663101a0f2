#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/view/state/ui.h"

namespace lab::view {

/// How a button looks.
enum class ButtonLook {
  kQuiet,     ///< grey
  kActive,    ///< accent: the chosen tab, the primary action
  kSelected,  ///< orange: the selected token
};

/// Where text stands in the width it is given.
enum class TextAlign { kLeft, kCentre, kRight };

/// Width of `text` in `font`, in pixels. Text with characters that the font lacks is measured, and
/// drawn by draw_text, with Pango, which finds another font for them.
float text_width(const Ui& ui, const ImFont* font, std::string_view text);

/// Draws one line of text centred vertically in `rect`, cut off (with …) at its right edge.
void draw_text(Ui& ui, const ImFont* font, const Rect& rect, std::string_view text,
               figure::Rgb colour, TextAlign align = TextAlign::kLeft);

/// Draws the first of `texts` that fits into `rect` whole, and nothing when none does.
void draw_fitting(Ui& ui, const ImFont* font, const Rect& rect, std::span<const std::string> texts,
                  figure::Rgb colour, TextAlign align);

/// Draws one line of formula text in the serif italic face from Pango markup, vertically centred in
/// `rect`, cut off at its right edge. Returns its width.
float draw_formula(Ui& ui, const Rect& rect, const std::string& markup);

/// The request for a token label at the window's scale.
figure::TextRequest label_request(const Ui& ui, const std::string& text, float points,
                                  bool bold = false);

/// Draws a token label in `rect`, in any script, vertically centred and shortened with … to fit.
void draw_label(Ui& ui, const Rect& rect, const std::string& text, float points, figure::Rgb colour,
                TextAlign align, bool bold = false);

/// The first of `texts` that a label of that size has room for in `width`; empty when none fits.
std::string fitting_label(const Ui& ui, std::span<const std::string> texts, float points,
                          float width);

/// An area that can be clicked, without looks of its own. `id` is the widget's stable name.
/// Returns true when it was clicked, or pressed by keyboard, in this frame.
bool click_area(Ui& ui, const std::string& id, const Rect& rect);

/// One that the pointer alone can reach, for what the keyboard does in another way.
bool pointer_area(Ui& ui, const std::string& id, const Rect& rect);

/// True when the pointer is on the area that was made last, or the keyboard's ring is around it.
bool is_pointed_at(const Ui& ui);

/// A button. Returns true when it was clicked; a disabled one never is.
bool button(Ui& ui, const std::string& id, const Rect& rect, std::string_view label,
            ButtonLook look = ButtonLook::kQuiet, bool enabled = true);

/// The three dots of a button that opens a menu. Returns true when it was clicked.
bool more_button(Ui& ui, const std::string& id, const Rect& rect);

/// Width that a button with that label wants.
float button_width(const Ui& ui, std::string_view label);

/// A button that shows a value in the number font and a small ▾ when it opens a menu.
bool value_button(Ui& ui, const std::string& id, const Rect& rect, std::string_view value,
                  bool opens_menu);

/// Width that a value button wants.
float value_button_width(const Ui& ui, std::string_view value, bool opens_menu);

/// Draws a card's surface and border; an active card has a border in the accent colour.
void card_surface(Ui& ui, const Rect& rect, bool active = false);

/// Draws a card with its heading — bold name, formula (markup), and a note on the right (its shape)
/// — and returns the area that is left for its content. `buttons`: how many pixels at the right end
/// of the heading are left free for what the caller puts there.
Rect card(Ui& ui, const Rect& rect, std::string_view name, const std::string& formula = {},
          std::string_view note = {}, bool active = false, float buttons = 0);

/// Shows `text` beside the pointer when the last widget is pointed at, or beside the keyboard's
/// ring when that is around it.
void tooltip(Ui& ui, std::string_view text);

/// A filled rounded rectangle.
void fill_rect(Ui& ui, const Rect& rect, figure::Rgb colour, float rounding = 0, float alpha = 1);
/// The outline of a rectangle, drawn inside of it.
void frame_rect(Ui& ui, const Rect& rect, figure::Rgb colour, float thickness, float rounding = 0);

}  // namespace lab::view
