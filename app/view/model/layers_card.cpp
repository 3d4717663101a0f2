#include <algorithm>
#include <utility>

#include "app/translation/words.h"
#include "app/view/cards/head_menu.h"
#include "app/view/maps/model_heads.h"
#include "app/view/maps/model_patches.h"
#include "app/view/maps/model_words.h"
#include "app/view/model/logit_lens.h"
#include "app/view/model/model_tiles.h"
#include "app/view/model/tile.h"
#include "app/view/model/tile_grid.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::Index;
using attention::network::Sublayer;

constexpr float kLayerLabels = 30, kHeadLabels = 16, kAroundTiles = 52, kHighestCard = 420,
                kReason = 22;

// For a row of the edited state's tiles in a card of that width: A's and the lens take their part.
float width_for_tiles(const Ui& ui, float width) {
  width -= tiles_of_a_width(ui, width);
  return width - ui.px(kLayerLabels) - lens_column_width(ui, width);
}

// While tiles are sorted, a column has heads of several numbers.
void label_heads(Ui& ui, const TileGrid& grid, const Rect& tiles, float y) {
  if (ui.state.model.sorted && shown_tile_view(ui) != TileView::kAttention) return;
  for (Index head = 0; head < grid.heads; ++head) {
    const Rect tile = grid.tile_bounds(tiles, 0, head);
    draw_text(ui, ui.fonts.mono_tiny, {tile.x, y, tile.w, ui.px(14)}, "H" + std::to_string(head),
              ui.theme.dim, TextAlign::kCentre);
  }
}

// Keeps the shown layer in view.
void scroll_to_layer(Ui& ui, const TileGrid& grid, float room) {
  const Index layer = ui.document().layer.at.layer;
  auto& in_view = ui.state.model.tile_in_view;
  if (std::exchange(in_view, layer) == layer) return;
  const float top = static_cast<float>(layer) * (grid.height + grid.gap);
  const float scrolled = ImGui::GetScrollY();
  if (top < scrolled || top + grid.height > scrolled + room)
    ImGui::SetScrollY(std::max(0.0f, top - room / 2));
}

// The tiles of a layer; the place of the one whose menu is open, if it is here, goes to `menu`.
void draw_row(Ui& ui, const TileGrid& grid, const Rect& tiles, Index layer,
              const TileContent& content, Rect& menu) {
  const Sublayer sublayer = ui.document().layer.at.sublayer;
  if (is_convolution(shown_model(ui)->network, {sublayer, layer}))
    return draw_convolution(ui, grid.row_bounds(tiles, layer), layer);
  const auto heads = columns_of(ui, layer, grid.heads, content.numbers);
  for (Index column = 0; column < grid.heads; ++column) {
    const HeadRef head{{sublayer, layer}, heads[static_cast<std::size_t>(column)]};
    const Rect bounds = grid.tile_bounds(tiles, layer, column);
    draw_tile(ui, {head, bounds}, content);
    if (ui.state.heads.menu == head) menu = bounds;
  }
}

void draw_tiles(Ui& ui, const TileGrid& grid, const Rect& area) {
  const Sublayer sublayer = ui.document().layer.at.sublayer;
  const TileContent content{ui.tiles.maps(ui.network_trace(), sublayer),
                            tile_numbers(ui, shown_tile_view(ui))};
  const Rect tiles{area.x - ImGui::GetScrollX(), area.y - ImGui::GetScrollY(), area.w, area.h};
  Rect menu = tiles;
  for (Index layer = 0; layer < grid.layers; ++layer) {
    const Rect first = grid.tile_bounds(tiles, layer, 0);
    if (first.bottom() < area.y || first.y > area.bottom()) continue;
    draw_row(ui, grid, tiles, layer, content, menu);
  }
  head_menu(ui, menu);
  ImGui::SetCursorScreenPos(tiles.min());
  ImGui::Dummy({grid.whole_width() - grid.gap, grid.whole_height()});
}

// Ctrl and the wheel make the tiles larger and smaller.
void zoom_by_wheel(Ui& ui) {
  const ImGuiIO& io = ImGui::GetIO();
  if (!io.KeyCtrl || io.MouseWheel == 0 || !ImGui::IsWindowHovered()) return;
  zoom_tiles(ui, io.MouseWheel > 0 ? 1 : -1);
}

// What stands on the left and the right of the tiles, and does not scroll sideways with them.
void beside_tiles(Ui& ui, const TileGrid& grid, const Rect& area, float lens, float scrolled) {
  ui.canvas().PushClipRect(area.min(), area.max(), true);
  const Rect rows{area.x, area.y - scrolled, area.w, area.h};
  for (Index layer = 0; layer < grid.layers; ++layer) {
    const Rect first = grid.tile_bounds(rows, layer, 0);
    if (first.bottom() < area.y || first.y > area.bottom()) continue;
    const bool looked_at = layer == ui.document().layer.at.layer;
    draw_text(ui, ui.fonts.mono_small, {area.x, first.y, ui.px(kLayerLabels - 6), first.h},
              "L" + std::to_string(layer), looked_at ? ui.theme.accent : ui.theme.dim,
              TextAlign::kRight);
    if (lens > 0) lens_row(ui, {area.right() - lens, first.y, lens, first.h}, layer);
  }
  ui.canvas().PopClipRect();
}

void tiles_of_heads(Ui& ui, Rect content) {
  const float lens = lens_column_width(ui, content.w);
  const TileGrid grid = arrange_tiles(ui, content.w - ui.px(kLayerLabels) - lens);
  // Where there is more room than the widest tiles need, the lens still stands beside them.
  content.w = std::min(content.w, ui.px(kLayerLabels) + grid.whole_width() + lens);
  const Rect labels = content.cut_top(ui.px(kHeadLabels));
  Rect tiles = content;
  tiles.cut_left(ui.px(kLayerLabels));
  tiles.cut_right(lens);
  ImGui::SetCursorScreenPos(tiles.min());
  compat::begin_child("layers", {tiles.w, tiles.h}, false, ImGuiWindowFlags_HorizontalScrollbar);
  zoom_by_wheel(ui);
  scroll_to_layer(ui, grid, tiles.h);
  const float across = ImGui::GetScrollX(), down = ImGui::GetScrollY();
  ui.state.model.scrolled = down;
  draw_tiles(ui, grid, tiles);
  ImGui::EndChild();
  beside_tiles(ui, grid, content, lens, down);
  ui.canvas().PushClipRect({tiles.x, labels.y}, {tiles.right(), labels.bottom()}, true);
  label_heads(ui, grid, {tiles.x - across, tiles.y, tiles.w, tiles.h}, labels.y);
  ui.canvas().PopClipRect();
  if (lens > 0)
    lens_heading(ui, {content.right() - lens + ui.px(12), labels.y, lens - ui.px(12), ui.px(14)});
}

// The answer that the numbers are about, in a few words.
std::string answer_words(const Ui& ui) {
  const auto& answer = ui.analysis.answer.value;
  if (!answer) return {};
  std::string text = piece_of(ui, answer->token.prediction.id);
  if (answer->minus) text += " − " + piece_of(ui, answer->minus->prediction.id);
  if (answer->row == ui.state.selection.query || answer->row >= ui.document().problem.seq_len())
    return tr("answer: {}", {text});
  const std::string at =
      row_label(ui.document(), answer->row) + " (" + std::to_string(answer->row) + ")";
  return tr("answer: {} at {}", {text, at});
}

// Why there are no tiles of A, or no numbers in the tiles; empty when nothing is missing.
std::string reason(Ui& ui) {
  if (std::string why = why_no_model_of_a(ui); !why.empty()) return why;
  const auto numbers = tile_numbers(ui, shown_tile_view(ui));
  return numbers && !numbers->error.empty() ? tr(numbers->error) : std::string();
}

float reason_height(Ui& ui) { return reason(ui).empty() ? 0 : ui.px(kReason); }

void reason_line(Ui& ui, Rect& content) {
  const std::string why = reason(ui);
  if (why.empty()) return;
  const Rect line = content.cut_top(ui.px(kReason));
  draw_text(ui, ui.fonts.text, line, why, ui.theme.selected);
  ui.name("a/reason", line);
}

float layers_card_height(Ui& ui, const Rect& column) {
  if (ui.state.inspection.large) return 0;
  const float width = column.w - ui.px(24);
  const float preferred_height =
      shown_tile_view(ui) == TileView::kReadOut
          ? read_out_height(ui) + ui.px(kAroundTiles)
          : arrange_tiles(ui, width_for_tiles(ui, width)).whole_height() +
                ui.px(kAroundTiles + kHeadLabels);
  return std::min(ui.px(kHighestCard), preferred_height + reason_height(ui));
}

void layers_card(Ui& ui, const Rect& rect) {
  const std::string title = tr("Layers × heads"), answer = answer_words(ui);
  const Rect content = card(ui, rect, title, {}, answer);
  Rect buttons{rect.x, rect.y + ui.px(6), rect.w, ui.px(22)};
  buttons.cut_left(text_width(ui, ui.fonts.bold, title) + ui.px(28));
  buttons.cut_right(text_width(ui, ui.fonts.mono_small, answer) + ui.px(24));
  tile_choices(ui, buttons);
  if (shown_tile_view(ui) == TileView::kReadOut) return read_out_map(ui, content);
  Rect own = content;
  reason_line(ui, own);
  const Rect of_a = own.cut_left(tiles_of_a_width(ui, content.w));
  tiles_of_heads(ui, own);
  if (of_a.w > 0) tiles_of_a(ui, of_a, own, ui.state.model.scrolled);
}

}  // namespace

extern constexpr PanelInfo kLayersPanel{.name = "layers",
                                        .region = PanelRegion::kCentre,
                                        .of = PanelOf::kModel,
                                        .draw = layers_card,
                                        .preferred_height = layers_card_height,
                                        .widgets = "tile/ tiles/ stack/ lens/ a/"};

}  // namespace lab::view
