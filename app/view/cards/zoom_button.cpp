#include "app/view/cards/zoom_button.h"

#include <algorithm>
#include <cmath>

#include "app/explain/number_text.h"
#include "app/translation/words.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr float kCross = 16, kAroundText = 8;

float width_of(const Ui& ui, const std::string& text) {
  return std::ceil(text_width(ui, ui.fonts.small, text)) + ui.px(kCross + kAroundText);
}

void draw_cross(Ui& ui, const Rect& bounds, figure::Rgb colour) {
  const float arm = ui.px(3), x = bounds.x + bounds.w / 2, y = bounds.y + bounds.h / 2;
  const float thick = std::max(1.2f, ui.px(1.4f));
  ui.canvas().AddLine({x - arm, y - arm}, {x + arm, y + arm}, pack(colour), thick);
  ui.canvas().AddLine({x - arm, y + arm}, {x + arm, y - arm}, pack(colour), thick);
}

}  // namespace

std::string visible_cells(float start, float length, attention::Index count) {
  constexpr double kSliver = 0.05;  // of a cell, which nobody sees
  const auto cells = static_cast<double>(count), from = static_cast<double>(start) * cells;
  const double end = from + static_cast<double>(length) * cells;
  const auto cell = [count](double offset) {
    return std::clamp<attention::Index>(static_cast<attention::Index>(offset), 0, count - 1);
  };
  const attention::Index first = cell(std::floor(from + kSliver));
  const attention::Index last = std::max(first, cell(std::ceil(end - kSliver) - 1));
  const std::string text = std::to_string(first);
  return first == last ? text : text + "–" + std::to_string(last);
}

ZoomNote zoom_note(const Ui& ui, attention::Stage stage, attention::Shape shape, float room) {
  const auto region = ui.state.inspection.regions.find(stage);
  if (region == ui.state.inspection.regions.end() || region->second.whole()) return {};
  const std::string rows = visible_cells(region->second.y, region->second.h, shape.rows);
  const std::string columns = visible_cells(region->second.x, region->second.w, shape.cols);
  for (const std::string& text : {tr("rows {}, columns {}", {rows, columns}),
                                  std::string(rows).append(" × ").append(columns)}) {
    const float width = width_of(ui, text);
    if (width <= room) return {text, width};
  }
  return {tr("zoomed"), width_of(ui, tr("zoomed"))};
}

void zoom_button(Ui& ui, const Rect& bounds, attention::Stage stage, const ZoomNote& note) {
  if (note.text.empty()) return;
  const bool clicked = click_area(ui, "zoomed/" + std::string(stage_name(stage)), bounds);
  const bool hovered = ImGui::IsItemHovered();
  fill_rect(ui, bounds, hovered ? ui.theme.button_hover : ui.theme.button, ui.px(5));
  tooltip(ui, tr("Show the whole map   0 shows all of them whole"));
  Rect text = bounds;
  text.cut_left(ui.px(kAroundText));
  draw_cross(ui, text.cut_right(ui.px(kCross)), hovered ? ui.theme.accent : ui.theme.dim);
  draw_text(ui, ui.fonts.small, text, note.text, ui.theme.accent);
  if (clicked) ui.state.inspection.regions.erase(stage);
}

}  // namespace lab::view
