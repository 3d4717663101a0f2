#include "app/view/model/model_tiles.h"

#include <cmath>

#include "app/base/visible_text.h"
#include "app/translation/words.h"
#include "app/view/maps/model_patches.h"
#include "app/view/model/tile.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::Index;
using attention::network::Sublayer;

constexpr float kLayersOfA = 30, kHeadingOfA = 16;

// A part of A that can be dragged to B: one tile, or the name of a layer.
struct Draggable {
  std::string id;
  Rect bounds;
  std::vector<HeadRef> heads;
  std::string name;
};

void take_drag(Ui& ui, const Draggable& entry, const Rect& b) {
  pointer_area(ui, entry.id, entry.bounds);
  if (ImGui::IsItemHovered() && !ImGui::IsItemActive())
    tooltip(ui,
            tr("{} in A: drag it to B, so that it writes there what it writes here", {entry.name}));
  if (ImGui::IsItemActive()) {
    show_dragged(ui, entry.name);
    if (b.contains(ImGui::GetIO().MousePos)) frame_rect(ui, b, ui.theme.selected, ui.px(2), 3);
  }
  if (ImGui::IsItemDeactivated() && b.contains(ImGui::GetIO().MousePos))
    patch_from_a(ui, entry.heads);
}

std::vector<HeadRef> heads_of(const TileGrid& grid, Sublayer sublayer, Index layer) {
  std::vector<HeadRef> heads;
  for (Index head = 0; head < grid.heads; ++head) heads.push_back({{sublayer, layer}, head});
  return heads;
}

void layer_of_a(Ui& ui, const TileGrid& grid, const Rect& tiles, const Rect& b, Index layer,
                const TileContent& content) {
  const Sublayer sublayer = ui.document().layer.at.sublayer;
  const Rect first = grid.tile_bounds(tiles, layer, 0);
  const std::string name = "L" + std::to_string(layer);
  const Rect label{first.x - ui.px(kLayersOfA), first.y, ui.px(kLayersOfA - 6), first.h};
  if (is_convolution(shown_model(ui)->network, {sublayer, layer})) {
    draw_text(ui, ui.fonts.mono_small, label, name, ui.theme.dim, TextAlign::kRight);
    return draw_label(ui, grid.row_bounds(tiles, layer), tr("convolution, no attention"), 11.5f,
                      ui.theme.dim, TextAlign::kCentre);
  }
  take_drag(ui, {"a/layer/" + std::to_string(layer), label, heads_of(grid, sublayer, layer), name},
            b);
  draw_text(ui, ui.fonts.mono_small, label, name, ui.theme.dim, TextAlign::kRight);
  for (const HeadRef& head : heads_of(grid, sublayer, layer)) {
    const Rect bounds = grid.tile_bounds(tiles, layer, head.head);
    take_drag(ui, {"a/" + widget_of_head(ui, head), bounds, {head}, name_of_head(head)}, b);
    const bool pointed = ImGui::IsItemHovered() || ImGui::IsItemActive();
    draw_map_of_tile(ui, {head, bounds}, content);
    const ModelDocument& of_a = *model_of_a(ui).document;
    if (head_gain(of_a.interventions, head.at, head.head) == 0) hatch_tile(ui, bounds);
    frame_rect(ui, {bounds.x - 1, bounds.y - 1, bounds.w + 2, bounds.h + 2},
               pointed ? ui.theme.selected : ui.theme.line, std::max(1.0f, ui.px(1)), ui.px(3));
  }
}

}  // namespace

float tiles_of_a_width(const Ui& ui, float width) {
  return model_of_a(ui).document ? std::floor(width / 2) : 0;
}

void tiles_of_a(Ui& ui, const Rect& area, const Rect& b, float scrolled) {
  const AnalysedModel a = model_of_a(ui);
  if (!a.document) return;
  Rect content = area;
  const Rect heading = content.cut_top(ui.px(kHeadingOfA));
  const std::string sentence = ui.state.compare.a->document.sentence;
  draw_label(ui, {heading.x + ui.px(kLayersOfA), heading.y, heading.w - ui.px(40), ui.px(14)},
             "A  " + printable(sentence), 11.5f, ui.theme.dim, TextAlign::kLeft);
  content.cut_left(ui.px(kLayersOfA));
  const TileGrid grid = arrange_tiles(ui, content.w);
  const Sublayer sublayer = ui.document().layer.at.sublayer;
  const TileContent maps{ui.tiles.maps(a.trace, sublayer), std::nullopt};
  ui.canvas().PushClipRect({area.x, content.y}, area.max(), true);
  const Rect tiles{content.x, content.y - scrolled, content.w, content.h};
  for (Index layer = 0; layer < grid.layers; ++layer) {
    const Rect first = grid.tile_bounds(tiles, layer, 0);
    if (first.y >= content.y - 1 && first.y < content.bottom())
      layer_of_a(ui, grid, tiles, b, layer, maps);
  }
  ui.canvas().PopClipRect();
}

}  // namespace lab::view
