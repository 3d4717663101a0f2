#include "app/view/cards/zoom_button.h"

#include <algorithm>
#include <cmath>

#include "app/explain/number_text.h"
#include "app/translation/words.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr float kCross = 16, kAroundText = 8;

attention::Shape seen_shape(const files::MatrixPart& part, attention::Shape shape) {
  const auto seen = [](float share, attention::Index count) {
    const double cells = std::round(static_cast<double>(share) * static_cast<double>(count));
    return std::clamp<attention::Index>(static_cast<attention::Index>(cells), 1, count);
  };
  return {seen(part.h, shape.rows), seen(part.w, shape.cols)};
}

float width_of(const Ui& ui, const std::string& text) {
  return std::ceil(text_width(ui, ui.fonts.small, text)) + ui.px(kCross + kAroundText);
}

void draw_cross(Ui& ui, const Rect& place, figure::Rgb colour) {
  const float arm = ui.px(3), x = place.x + place.w / 2, y = place.y + place.h / 2;
  const float thick = std::max(1.2f, ui.px(1.4f));
  ui.canvas().AddLine({x - arm, y - arm}, {x + arm, y + arm}, pack(colour), thick);
  ui.canvas().AddLine({x - arm, y + arm}, {x + arm, y - arm}, pack(colour), thick);
}

}  // namespace

ZoomNote zoom_note(const Ui& ui, attention::Stage stage, attention::Shape shape, float room) {
  const auto part = ui.state.reading.parts.find(stage);
  if (part == ui.state.reading.parts.end() || part->second.whole()) return {};
  const std::string seen = explain::shape_text(seen_shape(part->second, shape));
  const std::string all = explain::shape_text(shape);
  for (const std::string& text :
       {tr("zoomed: {} of {}", {seen, all}), tr("{} of {}", {seen, all})}) {
    const float width = width_of(ui, text);
    if (width <= room) return {text, width};
  }
  return {tr("zoomed"), width_of(ui, tr("zoomed"))};
}

void zoom_button(Ui& ui, const Rect& place, attention::Stage stage, const ZoomNote& note) {
  if (note.text.empty()) return;
  const bool clicked = click_area(ui, "zoomed/" + std::string(stage_name(stage)), place);
  const bool hovered = ImGui::IsItemHovered();
  fill_rect(ui, place, hovered ? ui.theme.button_hover : ui.theme.button, ui.px(5));
  tooltip(ui, tr("Show the whole map   0 shows all of them whole"));
  Rect text = place;
  text.cut_left(ui.px(kAroundText));
  draw_cross(ui, text.cut_right(ui.px(kCross)), hovered ? ui.theme.accent : ui.theme.dim);
  draw_text(ui, ui.fonts.small, text, note.text, ui.theme.accent);
  if (clicked) ui.state.reading.parts.erase(stage);
}

}  // namespace lab::view
