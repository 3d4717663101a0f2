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

/// The alignment of text in the available width.
enum class TextAlign { kLeft, kCentre, kRight };

/// Width of `text` in `font`, in pixels. Text with characters that the font lacks is measured, and
/// drawn by draw_text, with Pango, which finds another font for them.
float text_width(const Ui& ui, const ImFont* font, std::string_view text);

/// Draws one line of text vertically centred in `rect`, shortened with … at its right edge.
void draw_text(Ui& ui, const ImFont* font, const Rect& rect, std::string_view text,
               figure::Rgb colour, TextAlign align = TextAlign::kLeft);

/// Draws the first of `texts` that fits into `rect` completely; nothing when none does.
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

/// The first of `texts` that fits into `width` as a label of that size; empty when none does.
std::string fitting_label(const Ui& ui, std::span<const std::string> texts, float points,
                          float width);

/// An invisible area that can be clicked. `id` is the widget's stable name. Returns true when it
/// was clicked, or pressed by keyboard, in this frame.
bool click_area(Ui& ui, const std::string& id, const Rect& rect);

/// An area for the pointer only, for actions that have another way on the keyboard.
bool pointer_area(Ui& ui, const std::string& id, const Rect& rect);

/// True when the pointer is on the last area, or the keyboard focus is on it.
bool is_pointed_at(const Ui& ui);

/// A button. Returns true when it was clicked; a disabled one never is.
bool button(Ui& ui, const std::string& id, const Rect& rect, std::string_view label,
            ButtonLook look = ButtonLook::kQuiet, bool enabled = true);

/// The three dots of a button that opens a menu. Returns true when it was clicked.
bool more_button(Ui& ui, const std::string& id, const Rect& rect);

/// The width of a button with that label.
float button_width(const Ui& ui, std::string_view label);

/// A button that shows a value in the number font and a small ▾ when it opens a menu.
bool value_button(Ui& ui, const std::string& id, const Rect& rect, std::string_view value,
                  bool opens_menu);

/// The width of a value button; the same for all that it may show, so that it stays under the
/// pointer when its value changes.
float value_button_width(const Ui& ui, std::string_view value, bool opens_menu);
/// The width of the widest of `values`.
float value_button_width(const Ui& ui, const std::vector<std::string>& values, bool opens_menu);

/// Draws a row of a card that says something: a label, and at the right its value on a chip, cut
/// off where the row is too narrow.
void labelled_value(Ui& ui, Rect row, std::string_view label, std::string_view value,
                    figure::Rgb ink);
/// The room that the value of such a row has for its text.
float value_room(const Ui& ui, const Rect& row, std::string_view label);

/// Draws a card's surface and border; an active card has a border in the accent colour.
void card_surface(Ui& ui, const Rect& rect, bool active = false);

/// Draws a card with its heading — bold name, formula (markup), and a note on the right (its shape)
/// — and returns the remaining area for its content. `buttons`: the pixels left free at the right
/// end of the heading for the caller's buttons.
Rect card(Ui& ui, const Rect& rect, std::string_view name, const std::string& formula = {},
          std::string_view note = {}, bool active = false, float buttons = 0);

/// Shows `text` beside the pointer when it is on the last widget, or beside the keyboard focus
/// when that is around it.
void tooltip(Ui& ui, std::string_view text);

/// A filled rounded rectangle.
void fill_rect(Ui& ui, const Rect& rect, figure::Rgb colour, float rounding = 0, float alpha = 1);
/// The outline of a rectangle, drawn inside it.
void frame_rect(Ui& ui, const Rect& rect, figure::Rgb colour, float thickness, float rounding = 0);

/// Draws the name of what is dragged beside the pointer, above everything else.
void show_dragged(const Ui& ui, const std::string& name);

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
