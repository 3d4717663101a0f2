#include "app/view/model/model_tiles.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "app/translation/words.h"
#include "app/view/model/tile_numbers.h"
#include "app/view/widgets/popup.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::network::LayerId;
using attention::network::Sublayer;

constexpr std::array kTileViews{TileView::kAttention, TileView::kEffect,     TileView::kWritten,
                                TileView::kReadOut,   TileView::kPrevious,   TileView::kInduction,
                                TileView::kFirst,     TileView::kDuplicate,  TileView::kEntropy,
                                TileView::kPatched,   TileView::kSensitivity};
constexpr float kBetweenViews = 3;
constexpr const char* kMoreTiles = "menu/Tiles";

std::string id_of(TileView view) { return "tiles/" + std::to_string(static_cast<int>(view)); }

// The views that have no button of their own, then order and size.
void more_views(Ui& ui, Rect row, std::span<const TileView> views) {
  const Rect bounds = row.cut_left(ui.px(22));
  if (more_button(ui, kMoreTiles, bounds)) open_popup(kMoreTiles);
  if (!begin_popup(ui, kMoreTiles, bounds)) return;
  ModelState& state = ui.state.model;
  for (const TileView view : views) {
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

void view_button(Ui& ui, const Rect& bounds, TileView view, const std::string& name) {
  TileView& chosen = ui.state.model.tiles;
  const ButtonLook look = view == chosen ? ButtonLook::kActive : ButtonLook::kQuiet;
  if (button(ui, id_of(view), bounds, name, look)) chosen = view;
  tooltip(ui, tile_view_meaning(view));
}

float width_of_view(const Ui& ui, TileView view) {
  return button_width(ui, tr(tile_view_name(view))) - ui.px(10) + ui.px(kBetweenViews);
}

// Moves the views that have a button to the front, in their order: as many as fit into `width`, the
// one that is shown always among them. Returns how many these are.
std::size_t choose_buttons(const Ui& ui, std::vector<TileView>& views, float width) {
  const auto shown = std::ranges::find(views, shown_tile_view(ui));
  float left = width - width_of_view(ui, *shown);
  auto end = views.begin();
  for (; end != views.end(); ++end) {
    if (end == shown) continue;
    left -= width_of_view(ui, *end);
    if (left < 0) break;
  }
  if (end <= shown) {
    std::rotate(end, shown, shown + 1);
    ++end;
  }
  return static_cast<std::size_t>(end - views.begin());
}

void tile_view_buttons(Ui& ui, Rect row) {
  std::vector<TileView> views(kTileViews.begin(), kTileViews.end());
  std::erase_if(views, [&](TileView view) { return !can_show(ui, view); });
  const std::size_t buttons = choose_buttons(ui, views, row.w - ui.px(28));
  for (const TileView view : std::span(views).first(buttons)) {
    const float width = width_of_view(ui, view);
    view_button(ui, row.cut_left(width - ui.px(kBetweenViews)), view, tr(tile_view_name(view)));
    row.cut_left(ui.px(kBetweenViews));
  }
  more_views(ui, row, std::span(views).subspan(buttons));
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
  const LayerId at = ui.document().layer.at;
  for (const auto& [sublayer, label] : kStackNames) {
    const std::string name = tr(label);
    const Rect bounds = row.cut_left(button_width(ui, name) - ui.px(10));
    const bool chosen = at.sublayer == sublayer;
    if (button(ui, "stack/" + std::string(label), bounds, name,
               chosen ? ButtonLook::kActive : ButtonLook::kQuiet))
      ui.queue(intent::GoToLayer{{sublayer, at.layer}});
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
