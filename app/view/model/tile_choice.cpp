#include "app/view/model/tile_choice.h"

#include <array>
#include <span>

#include "app/translation/words.h"
#include "app/view/model/tile_numbers.h"
#include "app/view/widgets/popup.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::network::LayerPlace;
using attention::network::Sublayer;

constexpr std::array kTileViews{TileView::kAttention, TileView::kEffect,    TileView::kWritten,
                                TileView::kReadOut,   TileView::kPrevious,  TileView::kInduction,
                                TileView::kFirst,     TileView::kDuplicate, TileView::kEntropy,
                                TileView::kPatched};
constexpr const char* kMoreTiles = "menu/Tiles";

std::string id_of(TileView view) { return "tiles/" + std::to_string(static_cast<int>(view)); }

// The views that have no button of their own, then order and size.
void more_views(Ui& ui, Rect row, std::size_t first) {
  const Rect place = row.cut_left(ui.px(22));
  if (more_button(ui, kMoreTiles, place)) open_popup(kMoreTiles);
  if (!begin_popup(ui, kMoreTiles, place)) return;
  ModelState& state = ui.state.model;
  for (const TileView view : std::span(kTileViews).subspan(first)) {
    if (!can_show(ui, view)) continue;
    if (menu_item(ui, id_of(view), tr(tile_view_name(view)), {}, view == state.tiles))
      state.tiles = view;
  }
  ImGui::Separator();
  if (menu_item(ui, "tiles/sort", tr("Largest numbers first"), {}, state.sorted))
    state.sorted = !state.sorted;
  if (menu_item(ui, "tiles/larger", tr("Larger"), {}, false, state.zoom < kLargestTiles))
    zoom_tiles(ui, 1);
  if (menu_item(ui, "tiles/smaller", tr("Smaller"), {}, false, state.zoom > kSmallestTiles))
    zoom_tiles(ui, -1);
  end_popup();
}

void view_button(Ui& ui, const Rect& place, TileView view, const std::string& name) {
  TileView& chosen = ui.state.model.tiles;
  const ButtonLook look = view == chosen ? ButtonLook::kActive : ButtonLook::kQuiet;
  if (button(ui, id_of(view), place, name, look)) chosen = view;
  tooltip(ui, tile_view_meaning(view));
}

void tile_view_buttons(Ui& ui, Rect row) {
  const float more = ui.px(28);
  for (std::size_t i = 0; i < kTileViews.size(); ++i) {
    if (!can_show(ui, kTileViews[i])) continue;
    const std::string name = tr(tile_view_name(kTileViews[i]));
    const float width = button_width(ui, name) - ui.px(10);
    if (width + more > row.w) return more_views(ui, row, i);
    view_button(ui, row.cut_left(width), kTileViews[i], name);
    row.cut_left(ui.px(3));
  }
  more_views(ui, row, kTileViews.size());
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

}  // namespace

void tile_choices(Ui& ui, Rect row) {
  stack_buttons(ui, row);
  tile_view_buttons(ui, row);
}

}  // namespace lab::view
