#include "app/view/widgets/flow_text.h"

#include "app/view/widgets/paragraph.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr float kLineHeight = 20;

}  // namespace

FlowText::FlowText(Ui& ui, const Rect& area, float hanging, bool draws)
    : ui_(ui),
      area_(area),
      hanging_(hanging),
      draws_(draws),
      x_(area.x),
      y_(area.y),
      start_(area.x) {}

Rect FlowText::next_bounds(const ImFont* font, std::string_view text, float gap) {
  const float width = text_width(ui_, font, text);
  if (x_ > start_ && x_ + gap + width > area_.right()) new_line(hanging_);
  if (x_ > start_) x_ += gap;
  const Rect rect{x_, y_, std::min(width, area_.right() - x_), ui_.px(kLineHeight)};
  x_ += width;
  return rect;
}

const TextLines& FlowText::words(std::span<const TextRun> runs, float space) {
  const float line = ui_.px(kLineHeight), left = area_.x + hanging_;
  const TextColumn column{x_, start_, left, area_.right()};
  const TextLines& lines = laid_out(ui_, runs, space, column);
  for (const TextLines::Piece& piece : lines.pieces) {
    const float y = y_ + static_cast<float>(piece.line) * line;
    if (draws_) draw_run(ui_, runs[piece.run], piece.text, {piece.x, y, piece.width, line});
  }
  x_ = lines.end;
  y_ += static_cast<float>(lines.last_line) * line;
  if (lines.last_line > 0) start_ = left;
  return lines;
}

void FlowText::put(const ImFont* font, std::string_view text, figure::Rgb colour, float gap) {
  if (text_width(ui_, font, text) > area_.w - hanging_) return put_lines(font, text, colour);
  Rect rect = next_bounds(font, text, gap);
  if (!draws_) return;
  rect.w += 1;
  draw_text(ui_, font, rect, text, colour);
}

void FlowText::put_lines(const ImFont* font, std::string_view text, figure::Rgb colour) {
  if (x_ > start_) new_line(hanging_);
  const TextRun run{std::string(text), font, colour};
  const float space = text_width(ui_, font, " ");
  words({&run, 1}, space);
  if (text.ends_with(' ')) x_ += space;
}

bool FlowText::put_link(const std::string& id, const ImFont* font, std::string_view text,
                        figure::Rgb colour, float gap) {
  Rect rect = next_bounds(font, text, gap);
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
