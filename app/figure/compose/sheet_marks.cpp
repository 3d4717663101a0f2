#include <algorithm>

#include "app/figure/compose/sheet.h"

namespace lab::figure {
namespace {

/// The bounds of a cell, extended by half a seam at the first and last column of a block.
shape::Frame cell_frame(const Panel& panel, const PanelLayout& layout, const PanelMark& mark) {
  shape::Frame frame;
  frame.width = layout.cell_width, frame.height = layout.cell_height;
  frame.x = layout.x + static_cast<double>(mark.column) * frame.width;
  frame.y = layout.y + static_cast<double>(mark.row) * frame.height;
  const double half = seam(panel, layout) / 2;
  if (half == 0) return frame;
  if (mark.column % panel.block == 0) frame.x += half, frame.width -= half;
  if (mark.column % panel.block == panel.block - 1) frame.width -= half;
  return frame;
}

/// A frame whose inner edge is that of the cell, thinner where cells are small.
Shape cell_mark(shape::Frame frame, Rgb colour, const Look& look) {
  frame.colour = colour;
  frame.line = std::clamp(0.14 * std::min(frame.width, frame.height), 0.6, 0.2 * look.font);
  return frame;
}

/// A corner in the top right of the cell.
Shape corner(const shape::Frame& cell, const Look& look) {
  const double side = 0.32 * std::min(cell.width, cell.height);
  const double right = cell.x + cell.width;
  return shape::Polygon{{{right - side, cell.y}, {right, cell.y}, {right, cell.y + side}},
                        look.selected};
}

}  // namespace

std::vector<Shape> mark_shapes(const Panel& panel, const PanelLayout& layout, const Look& look) {
  std::vector<Shape> shapes;
  for (const PanelMark& mark : panel.marks) {
    const shape::Frame frame = cell_frame(panel, layout, mark);
    if (mark.type == PanelMark::kOverride)
      shapes.push_back(corner(frame, look));
    else
      shapes.push_back(
          cell_mark(frame, mark.type == PanelMark::kPin ? look.accent : look.selected, look));
  }
  return shapes;
}

}  // namespace lab::figure
