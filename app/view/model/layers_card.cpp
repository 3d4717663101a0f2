#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "app/translation/words.h"
#include "app/view/maps/model_heads.h"
#include "app/view/maps/model_words.h"
#include "app/view/model/lens_column.h"
#include "app/view/model/tile.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/popup.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::Index;
using attention::network::LayerPlace;
using attention::network::Sublayer;

constexpr float kLayerLabels = 30, kHeadLabels = 16, kBetweenTiles = 4;  // points
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
  grid.gap = ui.px(kBetweenTiles);
  while (find_attention(model.network, {sublayer, grid.layers}) != nullptr) ++grid.layers;
  grid.heads = find_attention(model.network, {sublayer, 0})->n_heads;
  const float room_across = width - ui.px(kLayerLabels) - lens_column_width(ui, width);
  const float share = room_across / static_cast<float>(grid.heads) - grid.gap;
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
  const attention::SharedMatrix& weights = ui.tiles.weights(ui.network_trace(), at.sublayer);
  const std::optional<TileNumbers> numbers = tile_numbers(ui, ui.state.model.tiles);
  const TileContent content{ui.tiles, weights, numbers};
  const float lens = lens_column_width(ui, area.w);
  const Rect tiles{area.x + ui.px(kLayerLabels), area.y - ImGui::GetScrollY(), area.w, area.h};
  for (Index layer = 0; layer < grid.layers; ++layer) {
    const Rect first = grid.place(tiles, layer, 0);
    if (first.bottom() < area.y || first.y > area.bottom()) continue;
    draw_text(ui, ui.fonts.mono_small, {area.x, first.y, ui.px(kLayerLabels - 6), first.h},
              "L" + std::to_string(layer), layer == at.layer ? ui.theme.accent : ui.theme.dim,
              TextAlign::kRight);
    for (Index head = 0; head < grid.heads; ++head)
      draw_tile(ui, {{{at.sublayer, layer}, head}, grid.place(tiles, layer, head)}, content);
    if (lens > 0) lens_row(ui, {area.right() - lens, first.y, lens, first.h}, layer);
  }
  ImGui::SetCursorScreenPos({area.x, tiles.y});
  ImGui::Dummy({1, grid.whole_height()});
}

constexpr std::array kTileViews{TileView::kAttention, TileView::kEffect,    TileView::kWritten,
                                TileView::kPrevious,  TileView::kInduction, TileView::kFirst,
                                TileView::kDuplicate, TileView::kEntropy};

constexpr const char* kMoreTiles = "menu/Tiles";

// The views that have no button of their own.
void more_views(Ui& ui, Rect row, std::size_t first) {
  const Rect place = row.cut_left(ui.px(22));
  if (more_button(ui, kMoreTiles, place)) open_popup(kMoreTiles);
  if (!begin_popup(ui, kMoreTiles, place)) return;
  TileView& chosen = ui.state.model.tiles;
  for (const TileView view : std::span(kTileViews).subspan(first)) {
    const std::string id = "tiles/" + std::to_string(static_cast<int>(view));
    if (menu_item(ui, id, tr(tile_view_name(view)), {}, view == chosen)) chosen = view;
  }
  end_popup();
}

// As many of the views as there is room for stand side by side, the others in a menu.
void tile_view_buttons(Ui& ui, Rect row) {
  TileView& chosen = ui.state.model.tiles;
  for (std::size_t i = 0; i < kTileViews.size(); ++i) {
    const TileView view = kTileViews[i];
    const std::string name = tr(tile_view_name(view));
    const float width = button_width(ui, name) - ui.px(10);
    const bool last = i + 1 == kTileViews.size();
    if (width + (last ? 0 : ui.px(28)) > row.w) return more_views(ui, row, i);
    const Rect place = row.cut_left(width);
    const std::string id = "tiles/" + std::to_string(static_cast<int>(view));
    if (button(ui, id, place, name, view == chosen ? ButtonLook::kActive : ButtonLook::kQuiet))
      chosen = view;
    tooltip(ui, tile_view_meaning(view));
    row.cut_left(ui.px(3));
  }
}

struct StackName {
  Sublayer sublayer;
  const char* name;
};
constexpr std::array kStackNames{StackName{Sublayer::kEncoder, tr_later("encoder")},
                                 StackName{Sublayer::kSelf, tr_later("decoder")},
                                 StackName{Sublayer::kCross, tr_later("cross")}};

// Of a model with two stacks: whose heads the tiles are.
void stack_buttons(Ui& ui, Rect& row) {
  if (!shown_model(ui)->network.encoder) return;
  const LayerPlace at = ui.document().layer.at;
  for (const auto& [sublayer, label] : kStackNames) {
    const std::string name = tr(label);
    const Rect place = row.cut_left(button_width(ui, name) - ui.px(10));
    const bool chosen = at.sublayer == sublayer;
    if (button(ui, "stack/" + std::string(label), place, name,
               chosen ? ButtonLook::kActive : ButtonLook::kQuiet))
      ui.queue(intent::LookAt{{sublayer, at.layer}});
    row.cut_left(ui.px(3));
  }
  row.cut_left(ui.px(10));
}

// The answer that the numbers are about, in a few words.
std::string answer_words(const Ui& ui) {
  const auto& answer = ui.analysis.answer.value;
  if (!answer) return {};
  std::string text = piece_of(ui, answer->token.prediction.id);
  if (answer->minus) text += " − " + piece_of(ui, answer->minus->prediction.id);
  return tr("answer: {}", {text});
}

float layers_card_height(Ui& ui, const Rect& column) {
  if (shown_model(ui) == nullptr || ui.state.reading.large) return 0;
  const TileGrid grid = arrange_tiles(ui, column.w - ui.px(24));
  return std::min(ui.px(kHighestCard), grid.whole_height() + ui.px(kAroundTiles + kHeadLabels));
}

void layers_card(Ui& ui, const Rect& rect) {
  const std::string title = tr("Layers × heads"), answer = answer_words(ui);
  Rect content = card(ui, rect, title, {}, answer);
  Rect buttons{rect.x, rect.y + ui.px(6), rect.w, ui.px(22)};
  buttons.cut_left(text_width(ui, ui.fonts.bold, title) + ui.px(28));
  buttons.cut_right(text_width(ui, ui.fonts.mono_small, answer) + ui.px(24));
  stack_buttons(ui, buttons);
  tile_view_buttons(ui, buttons);
  const TileGrid grid = arrange_tiles(ui, content.w);
  content.cut_top(ui.px(kHeadLabels));
  label_heads(ui, grid, {content.x + ui.px(kLayerLabels), content.y, content.w, content.h});
  if (const float lens = lens_column_width(ui, content.w); lens > 0)
    lens_heading(ui, {content.right() - lens + ui.px(12), content.y - ui.px(kHeadLabels),
                      lens - ui.px(12), ui.px(14)});
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
                                        .widgets = "tile/ tiles/ stack/"};

}  // namespace lab::view
