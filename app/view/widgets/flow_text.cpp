#include "app/view/widgets/flow_text.h"

#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr float kLineHeight = 20;

// How much of `text` fits into `width`, up to a space behind a word; the first word at least.
std::size_t part_that_fits(const Ui& ui, const ImFont* font, std::string_view text, float width) {
  std::size_t end = std::min(text.find(' '), text.size());
  while (end < text.size()) {
    const std::size_t next = std::min(text.find(' ', end + 1), text.size());
    if (text_width(ui, font, text.substr(0, next)) > width) break;
    end = next;
  }
  return end;
}

}  // namespace

FlowText::FlowText(Ui& ui, const Rect& area, float hanging, bool draws)
    : ui_(ui),
      area_(area),
      hanging_(hanging),
      draws_(draws),
      x_(area.x),
      y_(area.y),
      start_(area.x) {}

Rect FlowText::place(const ImFont* font, std::string_view text, float gap) {
  const float width = text_width(ui_, font, text);
  if (x_ > start_ && x_ + gap + width > area_.right()) new_line(hanging_);
  if (x_ > start_) x_ += gap;
  const Rect rect{x_, y_, std::min(width, area_.right() - x_), ui_.px(kLineHeight)};
  x_ += width;
  return rect;
}

void FlowText::put(const ImFont* font, std::string_view text, figure::Rgb colour, float gap) {
  // What is longer than a line goes on in the next.
  const float line = area_.w - hanging_;
  for (std::size_t end = part_that_fits(ui_, font, text, line); end < text.size();
       end = part_that_fits(ui_, font, text, line)) {
    put(font, text.substr(0, end), colour, gap);
    text.remove_prefix(end + 1);
  }
  Rect rect = place(font, text, gap);
  if (!draws_) return;
  rect.w += 1;
  draw_text(ui_, font, rect, text, colour);
}

bool FlowText::put_link(const std::string& id, const ImFont* font, std::string_view text,
                        figure::Rgb colour, float gap) {
  Rect rect = place(font, text, gap);
  if (!draws_) return false;
  const bool clicked = click_area(ui_, id, rect);
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  const float line = std::max(1.0f, ui_.px(1));
  fill_rect(ui_, {rect.x, rect.bottom() - ui_.px(3), rect.w, line},
            hovered ? ui_.theme.accent : ui_.theme.line);
  rect.w += 1;
  draw_text(ui_, font, rect, text, hovered ? ui_.theme.accent : colour);
  return clicked;
}

void FlowText::new_line(float indent) {
  start_ = x_ = area_.x + indent;
  y_ += ui_.px(kLineHeight);
}

Rect FlowText::take(float height) {
  const Rect strip{area_.x, y_, area_.w, height};
  y_ += height;
  return strip;
}

}  // namespace lab::view
