#include "app/view/widgets/widgets.h"

#include <algorithm>
#include <utility>

#include "app/base/strings.h"
#include "app/view/focus/focus_ring.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/toolkit/imgui_focus.h"
#include "app/view/widgets/dialog_text.h"
#include "app/view/widgets/popup.h"

namespace lab::view {
namespace {

constexpr float kCardRounding = 8;
constexpr float kButtonRounding = 6;
constexpr float kCardPadding = 12;
constexpr float kHeadingHeight = 20;
constexpr float kRowWidth = 180;  // wider items are rows, not buttons

struct ButtonColours {
  figure::Rgb fill;
  figure::Rgb text;
};

ButtonColours button_colours(const Theme& theme, ButtonLook look, bool hovered, bool enabled) {
  if (!enabled) return {theme.button, theme.disabled};
  if (look == ButtonLook::kActive) return {theme.accent, theme.on_accent};
  if (look == ButtonLook::kSelected) return {theme.selected, theme.on_selected};
  return {hovered ? theme.button_hover : theme.button, theme.text};
}

float aligned(const Rect& rect, float width, TextAlign align) {
  if (align == TextAlign::kRight) return rect.right() - width;
  if (align == TextAlign::kCentre) return std::max(rect.x, rect.x + (rect.w - width) / 2);
  return rect.x;
}

// Draws a label, vertically centred and shortened to fit; a width of 0 or less fits everything.
void draw_request(Ui& ui, const Rect& rect, figure::TextRequest request, figure::Rgb colour,
                  TextAlign align) {
  if (rect.w > 0) {
    std::string cut = ui.labels.fitting(request, rect.w);
    if (cut != request.text) ui.widgets.note_shortened(request.text);
    request.text = std::move(cut);
  }
  const figure::TextImage& image = ui.labels.metrics(request);
  const float x = aligned(rect, static_cast<float>(image.advance), align);
  // Centred on the height of capitals, about 0.73 em, so that all labels share one line.
  const double baseline = rect.y + rect.h / 2 + request.size * 0.36;
  ui.labels.draw(ui.canvas(), request, {x, static_cast<float>(baseline)}, pack(colour));
}

// The same text for Pango, in the face and size of `font`.
figure::TextRequest substitute(const Ui& ui, const ImFont* font, std::string_view text) {
  const Fonts& fonts = ui.fonts;
  const bool mono = font == fonts.mono || font == fonts.mono_small || font == fonts.mono_bold ||
                    font == fonts.mono_tiny;
  const bool bold = font == fonts.bold || font == fonts.title;
  const figure::TextFace face = mono   ? figure::TextFace::kMono
                                : bold ? figure::TextFace::kSansBold
                                       : figure::TextFace::kSans;
  const double em = compat::font_size(*font) / (mono ? kMonoLine : kSansLine);
  return {std::string(text), false, face, em, 0};
}

// The beginning of the text that fits with … into `width`; a width of 0 or less fits everything.
std::string fitting(const Ui& ui, const ImFont* font, std::string_view text, float width) {
  std::string whole(text);
  if (width <= 0 || text_width(ui, font, text) <= width + 0.5f) return whole;
  return shortened(whole,
                   [&](const std::string& cut) { return text_width(ui, font, cut) <= width; });
}

// The position of `length` pixels beside `start` … `end` in a window of `room` pixels: after them
// if there is room, otherwise before them.
float beside(float start, float end, float length, float room, float gap) {
  return end + gap + length <= room ? end + gap : std::max(start - gap - length, 0.0f);
}

// Places the tooltip beside its widget, which it must not cover, and inside the window: below a
// button, but at the side of a row, whose neighbours must stay readable.
void position_tooltip(const Ui& ui, const Rect& rect, ImVec2 size) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float gap = ui.px(7);
  const bool has_side =
      size.x + gap <= std::max(rect.x, screen.x - rect.right()) && rect.w > ui.px(kRowWidth);
  ImVec2 at{std::clamp(rect.x, 0.0f, std::max(screen.x - size.x, 0.0f)),
            beside(rect.y, rect.bottom(), size.y, screen.y, gap)};
  if (has_side) {
    at = {beside(rect.x, rect.right(), size.x, screen.x, gap),
          std::clamp(rect.y + (rect.h - size.y) / 2, 0.0f, std::max(screen.y - size.y, 0.0f))};
  }
  ImGui::SetNextWindowPos(at, ImGuiCond_Always);
}

}  // namespace

float text_width(const Ui& ui, const ImFont* font, std::string_view text) {
  if (!covers(*font, text)) {
    return static_cast<float>(ui.labels.width(substitute(ui, font, text)));
  }
  return compat::text_size(*font, text).x;
}

void draw_text(Ui& ui, const ImFont* font, const Rect& rect, std::string_view text,
               figure::Rgb colour, TextAlign align) {
  if (!covers(*font, text))
    return draw_request(ui, rect, substitute(ui, font, text), colour, align);
  const std::string cut = fitting(ui, font, text, rect.w);
  if (cut != text) ui.widgets.note_shortened(text);
  const float size = compat::font_size(*font);
  const float x = aligned(rect, text_width(ui, font, cut), align);
  const float y = rect.y + (rect.h - size) / 2;
  compat::add_text(ui.canvas(), *font, {std::floor(x), std::floor(y)}, pack(colour), cut);
}

void draw_fitting(Ui& ui, const ImFont* font, const Rect& rect, std::span<const std::string> texts,
                  figure::Rgb colour, TextAlign align) {
  const auto fits = [&](const std::string& text) { return text_width(ui, font, text) <= rect.w; };
  const auto found = std::ranges::find_if(texts, fits);
  if (found != texts.end()) draw_text(ui, font, rect, *found, colour, align);
}

// A prime is a hair in the size of formulas.
std::string with_clear_primes(std::string formula) {
  replace_all(formula, "′", "<b><big>′</big></b>");
  return formula;
}

// The words of `markup` that fit, with … when some do not. Its elements contain no spaces.
std::string fitting_formula(Ui& ui, const std::string& markup, float width) {
  const auto fits = [&](const std::string& text) {
    const figure::TextRequest request{text, true, figure::TextFace::kSerifItalic, ui.px(14), 0};
    return ui.labels.metrics(request).advance <= width;
  };
  std::string text = markup;
  for (std::string kept = markup; !fits(text); text = kept + "…") {
    const auto space = kept.rfind(' ');
    if (space == std::string::npos) return {};
    kept.resize(space);
  }
  return text;
}

float draw_formula(Ui& ui, const Rect& rect, const std::string& formula) {
  const std::string whole = with_clear_primes(formula);
  const std::string markup = fitting_formula(ui, whole, rect.w);
  if (markup != whole) ui.widgets.note_shortened(formula);
  if (markup.empty()) return 0;
  const figure::TextRequest request{markup, true, figure::TextFace::kSerifItalic, ui.px(14), 0};
  const figure::TextImage& image = ui.labels.metrics(request);
  ui.canvas().PushClipRect(rect.min(), rect.max(), true);
  const double baseline = rect.y + rect.h / 2 + (image.ascent - image.descent) / 2;
  ui.labels.draw(ui.canvas(), request, {rect.x, static_cast<float>(baseline)}, pack(ui.theme.dim));
  ui.canvas().PopClipRect();
  return static_cast<float>(image.advance);
}

figure::TextRequest label_request(const Ui& ui, const std::string& text, float points, bool bold) {
  return {beginning_of(text), false, bold ? figure::TextFace::kSansBold : figure::TextFace::kSans,
          std::floor(points * ui.state.scale + 0.5f), 0};
}

void draw_label(Ui& ui, const Rect& rect, const std::string& text, float points, figure::Rgb colour,
                TextAlign align, bool bold) {
  draw_request(ui, rect, label_request(ui, text, points, bold), colour, align);
}

std::string fitting_label(const Ui& ui, std::span<const std::string> texts, float points,
                          float width) {
  const auto fits = [&](const std::string& text) {
    return ui.labels.metrics(label_request(ui, text, points)).advance <= width;
  };
  const auto found = std::ranges::find_if(texts, fits);
  return found == texts.end() ? std::string() : *found;
}

bool click_area(Ui& ui, const std::string& id, const Rect& rect) {
  const bool clicked = pointer_area(ui, id, rect);
  if (rect.w <= 0 || rect.h <= 0) return false;
  if (compat::in_popup() && ImGui::IsItemFocused() && ImGui::GetIO().NavVisible)
    draw_focus_ring_around(ui, rect);
  return focus_stop(ui, id, rect) || clicked;
}

bool pointer_area(Ui& ui, const std::string& id, const Rect& rect) {
  ui.state.keyboard_focus.around_last_item = false;
  if (rect.w <= 0 || rect.h <= 0) return false;
  ui.name(id, rect);
  ImGui::SetCursorScreenPos(rect.min());
  return compat::invisible_button(id.c_str(), {rect.w, rect.h});
}

bool is_pointed_at(const Ui& ui) {
  return ImGui::IsItemHovered() || ui.state.keyboard_focus.around_last_item;
}

bool button(Ui& ui, const std::string& id, const Rect& rect, std::string_view label,
            ButtonLook look, bool enabled) {
  const bool clicked = click_area(ui, id, rect) && enabled;
  const auto colours = button_colours(ui.theme, look, ImGui::IsItemHovered(), enabled);
  fill_rect(ui, rect, colours.fill, ui.px(kButtonRounding));
  draw_text(ui, fitting_font(ui, label, rect.w), rect, label, colours.text, TextAlign::kCentre);
  return clicked;
}

bool more_button(Ui& ui, const std::string& id, const Rect& rect) {
  const bool clicked = click_area(ui, id, rect);
  const figure::Rgb colour = ImGui::IsItemHovered() ? ui.theme.accent : ui.theme.dim;
  for (const float step : {-4.5f, 0.0f, 4.5f}) {
    ui.canvas().AddCircleFilled({rect.x + rect.w / 2, rect.y + rect.h / 2 + ui.px(step)},
                                ui.px(1.5f), pack(colour));
  }
  return clicked;
}

float button_width(const Ui& ui, std::string_view label) {
  return std::ceil(text_width(ui, ui.fonts.text, label)) + ui.px(24);
}

bool value_button(Ui& ui, const std::string& id, const Rect& rect, std::string_view value,
                  bool opens_menu) {
  const bool clicked = click_area(ui, id, rect);
  fill_rect(ui, rect, ImGui::IsItemHovered() ? ui.theme.button_hover : ui.theme.button,
            ui.px(kButtonRounding));
  Rect text = rect;
  if (opens_menu) {
    text.cut_right(ui.px(14));
    draw_menu_mark(ui, {rect.right() - ui.px(13), rect.y + rect.h / 2});
  }
  draw_text(ui, ui.fonts.mono, text, value, ui.theme.text, TextAlign::kCentre);
  return clicked;
}

float value_button_width(const Ui& ui, std::string_view value, bool opens_menu) {
  return std::ceil(text_width(ui, ui.fonts.mono, value)) + ui.px(opens_menu ? 36 : 22);
}

float value_button_width(const Ui& ui, const std::vector<std::string>& values, bool opens_menu) {
  float widest = 0;
  for (const std::string& value : values)
    widest = std::max(widest, value_button_width(ui, value, opens_menu));
  return widest;
}

float value_room(const Ui& ui, const Rect& row, std::string_view label) {
  return row.w - text_width(ui, ui.fonts.text, label) - ui.px(26);
}

void labelled_value(Ui& ui, Rect row, std::string_view label, std::string_view value,
                    figure::Rgb ink) {
  constexpr float kChip = 22;
  const float text =
      std::min(text_width(ui, ui.fonts.mono_small, value), value_room(ui, row, label));
  Rect bounds = row.cut_right(text + ui.px(16));
  draw_text(ui, ui.fonts.text, row, label, ink);
  bounds.y += (bounds.h - ui.px(kChip)) / 2;
  bounds.h = ui.px(kChip);
  fill_rect(ui, bounds, ui.theme.button, ui.px(6));
  draw_text(ui, ui.fonts.mono_small, bounds.inset(ui.px(4)), value, ui.theme.text,
            TextAlign::kCentre);
}

void card_surface(Ui& ui, const Rect& rect, bool active) {
  fill_rect(ui, rect, ui.theme.card, ui.px(kCardRounding));
  frame_rect(ui, rect, active ? ui.theme.accent : ui.theme.line, std::max(1.0f, ui.px(1)),
             ui.px(kCardRounding));
}

namespace {

// The width of a card's name with its formula and the gaps around that.
float caption_width(const Ui& ui, std::string_view name, const std::string& formula) {
  return text_width(ui, ui.fonts.bold, name) + formula_width(ui, formula) + ui.px(17);
}

}  // namespace

Rect card(Ui& ui, const Rect& rect, std::string_view name, const std::string& formula,
          std::string_view note, bool active, float buttons) {
  card_surface(ui, rect, active);
  Rect content = rect.inset(ui.px(kCardPadding));
  content.y -= ui.px(4);
  content.h += ui.px(8);
  Rect heading = content.cut_top(ui.px(kHeadingHeight));
  content.cut_top(ui.px(4));
  heading.cut_right(buttons);
  if (!note.empty()) {
    const float noted = text_width(ui, ui.fonts.mono_small, note) + ui.px(2);
    // Where both do not fit, the formula is worth more than the note.
    const bool crowded = !formula.empty() && caption_width(ui, name, formula) + noted > heading.w;
    if (!crowded)
      draw_text(ui, ui.fonts.mono_small, heading.cut_right(noted), note, ui.theme.dim,
                TextAlign::kRight);
  }
  draw_text(ui, ui.fonts.bold, heading, name, ui.theme.text);
  heading.cut_left(text_width(ui, ui.fonts.bold, name) + ui.px(9));
  heading.w -= ui.px(8);
  draw_formula(ui, heading, formula);
  return content;
}

void tooltip(Ui& ui, std::string_view text) {
  // The focused widget's tooltip is shown after the keyboard focus has moved, until the pointer
  // moves.
  const KeyboardFocus& keyboard_focus = ui.state.keyboard_focus;
  const ImVec2 pointer = ImGui::GetIO().MousePos;
  const bool covered = compat::popup_is_open() || ui.state.dialog.open != Dialog::kNone;
  const bool by_focus = keyboard_focus.on && !covered && keyboard_focus.pointer.x == pointer.x &&
                        keyboard_focus.pointer.y == pointer.y;
  if (by_focus ? !keyboard_focus.around_last_item : !ImGui::IsItemHovered()) return;
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  const Rect item =
      by_focus ? keyboard_focus.on->rect : Rect{min.x, min.y, max.x - min.x, max.y - min.y};
  compat::push_font(ui.fonts.small);
  const ImVec2 around = ImGui::GetStyle().WindowPadding;
  const ImVec2 requested = written_size(ui, text);
  const ImVec2 size{requested.x + 2 * around.x, requested.y + 2 * around.y};
  position_tooltip(ui, item, size);
  if (compat::begin_tooltip()) {
    write_text(ui, text);
    const ImVec2 at = ImGui::GetWindowPos();
    ui.widgets.add("tooltip", {at.x, at.y, size.x, size.y});
    ImGui::EndTooltip();
  }
  ImGui::PopFont();
}

void fill_rect(Ui& ui, const Rect& rect, figure::Rgb colour, float rounding, float alpha) {
  ui.canvas().AddRectFilled(rect.min(), rect.max(), pack(colour, alpha), rounding);
}

void frame_rect(Ui& ui, const Rect& rect, figure::Rgb colour, float thickness, float rounding) {
  const float half = thickness / 2;
  ui.canvas().AddRect({rect.x + half, rect.y + half}, {rect.right() - half, rect.bottom() - half},
                      pack(colour), rounding, 0, thickness);
}

void show_dragged(const Ui& ui, const std::string& name) {
  const ImVec2 at = ImGui::GetIO().MousePos;
  ImDrawList& canvas = *ImGui::GetForegroundDrawList();
  const float width = text_width(ui, ui.fonts.bold, name) + ui.px(16);
  const ImVec2 from{at.x + ui.px(12), at.y + ui.px(4)}, to{from.x + width, from.y + ui.px(24)};
  canvas.AddRectFilled(from, to, pack(ui.theme.selected), ui.px(5));
  canvas.AddText(ui.fonts.bold, compat::font_size(*ui.fonts.bold),
                 {from.x + ui.px(8), from.y + ui.px(4)}, pack(ui.theme.on_accent), name.c_str());
}

}  // namespace lab::view
