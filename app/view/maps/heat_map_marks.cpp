#include "app/view/maps/heat_map_marks.h"

#include <algorithm>

#include "app/view/maps/values_cache.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::Shape;

constexpr float kLegendLine = 12, kSwatch = 8, kLegendPoints = 9.5f;
constexpr float kLeastBar = 24;  // the legend is omitted when there is no room for more

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

using DrawSwatch = void (*)(Ui&, const Rect&);

void draw_hatch(Ui& ui, const Rect& box) {
  for (float at = 2; at < box.w + box.h; at += 3) {
    const float across = std::min(at, box.w), down = std::min(at, box.h);
    ui.canvas().AddLine({box.x + at - down, box.y + down}, {box.x + across, box.y + at - across},
                        pack(ui.theme.dim));
  }
}

void draw_cross(Ui& ui, const Rect& box) {
  ui.canvas().AddLine(box.min(), box.max(), pack(ui.theme.dim));
  ui.canvas().AddLine({box.x, box.bottom()}, {box.right(), box.y}, pack(ui.theme.dim));
}

struct LegendEntry {
  bool present;
  const char* name;
  std::string text;
  DrawSwatch swatch;  // null: only words
};

// One line at the bottom of the plot's right side, if there is room.
void legend_line(Ui& ui, Rect& plot, const std::string& name, const LegendEntry& entry) {
  const float line = ui.px(kLegendLine);
  if (plot.h < line + ui.px(kLeastBar)) return;
  const Rect row = plot.cut_bottom(line);
  Rect place{row.right() + ui.px(7), row.y, ui.px(36), row.h};
  ui.name(name + entry.name, place);
  if (entry.swatch) {
    const float side = ui.px(kSwatch);
    const Rect box{place.x + 1, place.y + std::floor((line - side) / 2), side, side};
    frame_rect(ui, box, ui.theme.line, 1);
    entry.swatch(ui, box);
    place.cut_left(side + ui.px(4));
  }
  draw_label(ui, place, entry.text, kLegendPoints, entry.swatch ? ui.theme.dim : ui.theme.accent,
             TextAlign::kLeft);
}

}  // namespace

void draw_lit(Ui& ui, const Rect& whole, Shape shape, std::span<const CellBlock> boxes) {
  for (const CellBlock& box : boxes) draw_outline(ui, box_rect(whole, shape, box));
}

void draw_reading_marks(Ui& ui, const Rect& whole, const HeatMap& map) {
  const Shape shape = map.matrix.shape();
  for (const Cell& pin : map.pinned) draw_pin(ui, cell_rect(whole, shape, pin));
  if (map.block) {
    const Rect block = box_rect(whole, shape, *map.block).inset(-1);
    frame_rect(ui, block, ui.theme.accent, std::max(2.0f, ui.px(2.5f)), 1);
  }
  draw_lit(ui, whole, shape, map.lit);
}

void draw_legend(Ui& ui, Rect& plot, const HeatMap& map) {
  const NonFinite& found = ui.values.non_finite(map.matrix);
  const LegendEntry entries[] = {{found.nan, "nan", "NaN", draw_cross},
                                 {found.above, "above", "∞", draw_hatch},
                                 {found.below, "below", "−∞", draw_hatch},
                                 {!map.range_note.empty(), "range", map.range_note, nullptr}};
  for (const LegendEntry& entry : entries)
    if (entry.present) legend_line(ui, plot, map.name + "/legend/", entry);
}

// A corner in the text colour on a corner in the card's colour, so that it is visible on every
// fill.
void draw_overrides(Ui& ui, const Rect& whole, const HeatMap& map) {
  for (const Cell& place : map.overridden) {
    const Rect cell = cell_rect(whole, map.matrix.shape(), place);
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
