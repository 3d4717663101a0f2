#include "app/view/editor/mask_cells.h"

#include "app/view/maps/heat_map.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

void hatch(Ui& ui, const Rect& rect, figure::Rgb colour) {
  ui.canvas().PushClipRect(rect.min(), rect.max(), true);
  const float step = ui.px(5), thickness = std::max(1.0f, ui.px(1));
  for (float x = rect.x - rect.h; x < rect.right(); x += step) {
    ui.canvas().AddLine({x, rect.bottom()}, {x + rect.h, rect.y}, pack(colour), thickness);
  }
  ui.canvas().PopClipRect();
}

}  // namespace

void draw_mask_cell(Ui& ui, const Rect& whole, const EditGrid& grid, Cell cell) {
  const Rect rect = cell_rect(whole, grid.matrix.shape(), cell);
  const Rect inside{rect.x, rect.y, rect.w - 1, rect.h - 1};
  const bool painted = (*grid.matrix)(cell.row, cell.col) == 0;
  const bool allowed = ui.edited().problem.may_attend(cell.row, cell.col);
  if (allowed) {
    fill_rect(ui, inside, ui.theme.accent, 0, 0.22f);
    return;
  }
  fill_rect(ui, inside, ui.theme.button);
  hatch(ui, inside, painted ? ui.theme.text : ui.theme.line);
}

}  // namespace lab::view
