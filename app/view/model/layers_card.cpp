#include <algorithm>
#include <cmath>

#include "app/translation/words.h"
#include "app/view/maps/model_heads.h"
#include "app/view/model/tile.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::Index;
using attention::network::LayerPlace;
using attention::network::Sublayer;

constexpr float kLayerLabels = 30, kHeadLabels = 16, kTileGap = 4;  // points
constexpr float kLowestTile = 15, kHighestTile = 64, kNarrowestTile = 22, kWidestTile = 150;
constexpr float kAroundTiles = 52, kHighestCard = 420;

// The arrangement of the tiles: a row per layer, a column per head.
struct TileGrid {
  Index layers = 1, heads = 1;
  float width = 0, height = 0;  // of one tile
  float gap = 0;

  float whole_height() const { return static_cast<float>(layers) * (height + gap); }
  Rect place(const Rect& area, Index layer, Index head) const {
    return {area.x + static_cast<float>(head) * (width + gap),
            area.y + static_cast<float>(layer) * (height + gap), width, height};
  }
};

TileGrid arrange_tiles(const Ui& ui, float width) {
  const ModelDocument& model = *shown_model(ui);
  const Sublayer sublayer = ui.document().layer.at.sublayer;
  TileGrid grid;
  grid.gap = ui.px(kTileGap);
  while (find_attention(model.network, {sublayer, grid.layers}) != nullptr) ++grid.layers;
  grid.heads = find_attention(model.network, {sublayer, 0})->n_heads;
  const float share = (width - ui.px(kLayerLabels)) / static_cast<float>(grid.heads) - grid.gap;
  grid.width = std::floor(std::clamp(share, ui.px(kNarrowestTile), ui.px(kWidestTile)));
  const float room = ui.px(kHighestCard - kAroundTiles) / static_cast<float>(grid.layers);
  const float most = std::min(ui.px(kHighestTile), grid.width);
  grid.height = std::floor(std::clamp(room - grid.gap, ui.px(kLowestTile), most));
  return grid;
}

void label_heads(Ui& ui, const TileGrid& grid, const Rect& tiles) {
  for (Index head = 0; head < grid.heads; ++head) {
    const Rect tile = grid.place(tiles, 0, head);
    draw_text(ui, ui.fonts.mono_tiny, {tile.x, tiles.y - ui.px(kHeadLabels), tile.w, ui.px(14)},
              "H" + std::to_string(head), ui.theme.dim, TextAlign::kCentre);
  }
}

// The layer that is looked at stays in view.
void scroll_to_layer(Ui& ui, const TileGrid& grid, float room) {
  const Index layer = ui.document().layer.at.layer;
  auto& in_view = ui.state.model.tile_in_view;
  if (std::exchange(in_view, layer) == layer) return;
  const float top = static_cast<float>(layer) * (grid.height + grid.gap);
  const float scrolled = ImGui::GetScrollY();
  if (top < scrolled || top + grid.height > scrolled + room)
    ImGui::SetScrollY(std::max(0.0f, top - room / 2));
}

void draw_tiles(Ui& ui, const TileGrid& grid, const Rect& area) {
  const LayerPlace at = ui.document().layer.at;
  const auto& trace = ui.network_trace();
  const attention::SharedMatrix& weights = ui.tiles.weights(trace, at.sublayer);
  const Rect tiles{area.x + ui.px(kLayerLabels), area.y - ImGui::GetScrollY(), area.w, area.h};
  for (Index layer = 0; layer < grid.layers; ++layer) {
    const Rect first = grid.place(tiles, layer, 0);
    if (first.bottom() < area.y || first.y > area.bottom()) continue;
    draw_text(ui, ui.fonts.mono_small, {area.x, first.y, ui.px(kLayerLabels - 6), first.h},
              "L" + std::to_string(layer), layer == at.layer ? ui.theme.accent : ui.theme.dim,
              TextAlign::kRight);
    for (Index head = 0; head < grid.heads; ++head)
      draw_tile(ui, {{{at.sublayer, layer}, head}, grid.place(tiles, layer, head)}, ui.tiles,
                weights);
  }
  ImGui::SetCursorScreenPos({area.x, tiles.y});
  ImGui::Dummy({1, grid.whole_height()});
}

float layers_card_height(Ui& ui, const Rect& column) {
  if (shown_model(ui) == nullptr || ui.state.reading.large) return 0;
  const TileGrid grid = arrange_tiles(ui, column.w - ui.px(24));
  return std::min(ui.px(kHighestCard), grid.whole_height() + ui.px(kAroundTiles + kHeadLabels));
}

void layers_card(Ui& ui, const Rect& rect) {
  Rect content =
      card(ui, rect, tr("Layers × heads"), tr("weights of every head"), name_of(focused_head(ui)));
  const TileGrid grid = arrange_tiles(ui, content.w);
  content.cut_top(ui.px(kHeadLabels));
  label_heads(ui, grid, {content.x + ui.px(kLayerLabels), content.y, content.w, content.h});
  ImGui::SetCursorScreenPos(content.min());
  compat::begin_child("layers", {content.w, content.h}, false);
  scroll_to_layer(ui, grid, content.h);
  draw_tiles(ui, grid, content);
  ImGui::EndChild();
}

}  // namespace

extern constexpr PanelInfo kLayersPanel{.name = "layers",
                                        .place = PanelPlace::kCentre,
                                        .draw = layers_card,
                                        .wanted = layers_card_height,
                                        .widgets = "tile/"};

}  // namespace lab::view
