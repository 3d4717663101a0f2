#include "app/view/maps/heat_map_parts.h"

#include <algorithm>

#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::Shape;

Rect box_rect(const Rect& whole, Shape shape, const CellBlock& box) {
  const Rect first = cell_rect(whole, shape, {box.row, box.col});
  const Rect last = cell_rect(whole, shape, {box.row + box.rows - 1, box.col + box.cols - 1});
  return {first.x, first.y, last.right() - first.x, last.bottom() - first.y};
}

void draw_outline(Ui& ui, const Rect& cells) {
  const float around = ui.px(2);
  const Rect outline{cells.x - around, cells.y - around, std::max(cells.w, 2.0f) + 2 * around,
                     std::max(cells.h, 2.0f) + 2 * around};
  frame_rect(ui, outline, ui.theme.accent, std::max(1.0f, ui.px(1.5f)), ui.px(2));
}

// A frame with a filled corner, like a folded page.
void draw_pin(Ui& ui, const Rect& cell) {
  frame_rect(ui, cell.inset(-1), ui.theme.selected, std::max(1.0f, ui.px(1.5f)), 1);
  const float corner = std::clamp(std::min(cell.w, cell.h) * 0.4f, ui.px(3), ui.px(7));
  ui.canvas().AddTriangleFilled({cell.right() - corner, cell.y}, {cell.right(), cell.y},
                                {cell.right(), cell.y + corner}, pack(ui.theme.selected));
}

}  // namespace

void draw_highlight(Ui& ui, const Rect& whole, Shape shape, std::span<const CellBlock> boxes) {
  for (const CellBlock& box : boxes) draw_outline(ui, box_rect(whole, shape, box));
}

void draw_reading_marks(Ui& ui, const Rect& whole, const HeatMap& map) {
  const Shape shape = map.matrix.shape();
  for (const Cell& pin : map.pinned) draw_pin(ui, cell_rect(whole, shape, pin));
  if (map.block) {
    const Rect block = box_rect(whole, shape, *map.block).inset(-1);
    frame_rect(ui, block, ui.theme.accent, std::max(2.0f, ui.px(2.5f)), 1);
  }
  draw_highlight(ui, whole, shape, map.highlight);
}

// A corner in the text colour on a corner in the card's colour, so that it is visible on every
// fill.
void draw_overrides(Ui& ui, const Rect& whole, const HeatMap& map) {
  for (const Cell& position : map.overridden) {
    const Rect cell = cell_rect(whole, map.matrix.shape(), position);
    const float side = std::clamp(std::min(cell.w, cell.h) * 0.45f, ui.px(4), ui.px(9));
    const auto corner = [&](float length, figure::Rgb colour) {
      ui.canvas().AddTriangleFilled({cell.right() - length, cell.y}, {cell.right(), cell.y},
                                    {cell.right(), cell.y + length}, pack(colour));
    };
    corner(side + ui.px(2.5f), ui.theme.card);
    corner(side, ui.theme.text);
  }
}

}  // namespace lab::view
