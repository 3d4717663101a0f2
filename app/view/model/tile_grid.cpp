#include "app/view/model/tile_grid.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lab::view {
namespace {

using attention::Index;
using attention::network::Sublayer;

constexpr float kBetweenTiles = 4;  // points
constexpr float kLowestTile = 15, kHighestTile = 64, kNarrowestTile = 22, kWidestTile = 150;
constexpr float kRoomForTiles = 368;

}  // namespace

TileGrid arrange_tiles(const Ui& ui, float width) {
  const ModelDocument& model = *shown_model(ui);
  const Sublayer sublayer = ui.document().layer.at.sublayer;
  const float zoom = ui.state.model.zoom;
  TileGrid grid;
  grid.gap = ui.px(kBetweenTiles);
  grid.layers = layer_count(model.network, sublayer);
  grid.heads = head_count(model.network, sublayer);
  const float share = width / static_cast<float>(grid.heads) - grid.gap;
  const float wide = std::floor(std::clamp(share, ui.px(kNarrowestTile), ui.px(kWidestTile)));
  const float room = ui.px(kRoomForTiles) / static_cast<float>(grid.layers);
  const float most = std::min(ui.px(kHighestTile), wide);
  grid.width = std::floor(wide * zoom);
  grid.height = std::floor(std::clamp(room - grid.gap, ui.px(kLowestTile), most) * zoom);
  return grid;
}

std::vector<Index> columns_of(const Ui& ui, Index layer, Index heads,
                              const std::optional<TileNumbers>& numbers) {
  std::vector<Index> order(static_cast<std::size_t>(heads));
  std::iota(order.begin(), order.end(), Index{0});
  if (!ui.state.model.sorted || !numbers || layer >= numbers->values.rows()) return order;
  const auto key = [&](Index head) {
    const float value = numbers->values(layer, head);
    return std::isfinite(value) ? -value : std::numeric_limits<float>::infinity();
  };
  std::ranges::stable_sort(order, {}, key);
  return order;
}

}  // namespace lab::view
