#include "app/view/maps/heat_map_parts.h"

#include <algorithm>

#include "app/explain/number_text.h"
#include "app/view/maps/values_cache.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr float kBarWidth = 6;
constexpr float kBarPoints = 9.5f;
constexpr float kLegendLine = 12, kSwatch = 8, kLegendPoints = 9.5f;
constexpr float kLeastBar = 24;  // the legend is omitted when there is no room for more

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
  Rect bounds{row.right() + ui.px(7), row.y, ui.px(36), row.h};
  ui.name(name + entry.name, bounds);
  if (entry.swatch) {
    const float side = ui.px(kSwatch);
    const Rect box{bounds.x + 1, bounds.y + std::floor((line - side) / 2), side, side};
    frame_rect(ui, box, ui.theme.line, 1);
    entry.swatch(ui, box);
    bounds.cut_left(side + ui.px(4));
  }
  draw_label(ui, bounds, entry.text, kLegendPoints, entry.swatch ? ui.theme.dim : ui.theme.accent,
             TextAlign::kLeft);
}

// Draws what the bar cannot show. Cuts its space off the bottom of `plot`.
void draw_legend(Ui& ui, Rect& plot, const HeatMap& map) {
  const NonFinite& found = ui.values.non_finite(map.matrix);
  const LegendEntry entries[] = {{found.nan, "nan", "NaN", draw_cross},
                                 {found.above, "above", "∞", draw_hatch},
                                 {found.below, "below", "−∞", draw_hatch}};
  for (const LegendEntry& entry : entries)
    if (entry.present) legend_line(ui, plot, map.name + "/legend/", entry);
  for (auto note = map.range_notes.rbegin(); note != map.range_notes.rend(); ++note)
    legend_line(ui, plot, map.name + "/legend/", {true, "range", *note, nullptr});
}

}  // namespace

void draw_colour_bar(Ui& ui, Rect plot, const HeatMap& map, const figure::Range& range) {
  const figure::PaletteTable& table =
      figure::palette_table(shown_palette(ui, colour_stage(map)), ui.theme.dark);
  draw_legend(ui, plot, map);
  const Rect bar{plot.right() + ui.px(8), plot.y, ui.px(kBarWidth), plot.h};
  constexpr int kSteps = 32;
  for (int i = 0; i < kSteps; ++i) {
    const auto at = [&](int step) { return bar.bottom() - bar.h * float(step) / kSteps; };
    const auto shade = [&](int step) {
      return pack(table[std::size_t(
          std::min(step * figure::kPaletteSize / kSteps, figure::kPaletteSize - 1))]);
    };
    ui.canvas().AddRectFilledMultiColor({bar.x, at(i + 1)}, {bar.right(), at(i)}, shade(i + 1),
                                        shade(i + 1), shade(i), shade(i));
  }
  frame_rect(ui, bar, ui.theme.line, 1);
  const float line = ui.px(10), x = bar.right() + ui.px(3), w = ui.px(kBarSpace - 16);
  const auto number = [&](float value, float y) {
    std::vector<std::string> texts = explain::shorter_texts(value, 1);
    texts.insert(texts.begin(), explain::format_significant(value, std::abs(value) >= 100 ? 3 : 2));
    draw_label(ui, {x, y, w, line}, fitting_label(ui, texts, kBarPoints, w), kBarPoints,
               ui.theme.dim, TextAlign::kLeft);
  };
  number(range.hi, bar.y - 1);
  number(range.lo, bar.bottom() - line + 1);
  if (bar.h > ui.px(60)) number(figure::value_at(range, 0.5), bar.y + (bar.h - line) / 2);
}

}  // namespace lab::view
