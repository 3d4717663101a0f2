#include "app/view/model/tile.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/base/wording.h"
#include "app/explain/number_text.h"
#include "app/translation/words.h"
#include "app/view/cards/head_menu.h"
#include "app/view/maps/heat_map.h"
#include "app/view/maps/model_patches.h"
#include "app/view/maps/values_cache.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::Stage;

// The stage whose colours the numbers have.
Stage stage_of(const TileNumbers& numbers) {
  return numbers.is_signed ? Stage::kScores : Stage::kWeights;
}

// The number of the head, NaN when it is not known.
float number_of(const TileNumbers& numbers, const HeadRef& head) {
  const bool known = head.at.layer < numbers.values.rows() && head.head < numbers.values.cols();
  return known ? numbers.values(head.at.layer, head.head) : std::numeric_limits<float>::quiet_NaN();
}

void fill_with_number(Ui& ui, const Rect& rect, const TileNumbers& numbers, float value) {
  fill_rect(ui, rect, ui.theme.card);
  if (!std::isfinite(value)) return;
  const auto& table = figure::palette_table(shown_palette(ui, stage_of(numbers)), ui.theme.dark);
  fill_rect(ui, rect, figure::colour_of(table, numbers.range, value));
}

// On a ground of its own where the tile is hatched.
void write_number(Ui& ui, const Rect& rect, const TileNumbers& numbers, float value, bool hatched) {
  if (!std::isfinite(value)) return;
  const std::string text = ui.number(value);
  const float width = text_width(ui, ui.fonts.mono_tiny, text) + ui.px(hatched ? 10 : 4);
  if (width >= rect.w || rect.h <= ui.px(12)) return;
  if (hatched)
    fill_rect(ui, {rect.x + (rect.w - width) / 2, rect.y + rect.h / 2 - ui.px(6), width, ui.px(12)},
              ui.theme.card, ui.px(2));
  const figure::Rgb ink =
      hatched ? ui.theme.text : ink_on(ui, stage_of(numbers), numbers.range, value);
  draw_text(ui, ui.fonts.mono_tiny, rect, text, ink, TextAlign::kCentre);
}

// While tiles are sorted, their columns have no name.
void name_in_tile(Ui& ui, const Rect& rect, const HeadRef& head) {
  if (rect.h < ui.px(26)) return;
  const Rect bounds{rect.x + ui.px(3), rect.bottom() - ui.px(13), rect.w - ui.px(6), ui.px(12)};
  draw_text(ui, ui.fonts.mono_tiny, bounds, "H" + std::to_string(head.head), ui.theme.dim);
}

// An S says that only this head, and others that are solo, are active in its layer.
void mark_solo(Ui& ui, const Rect& rect) {
  const float side = std::min(ui.px(11), rect.h / 2);
  const Rect bounds{rect.right() - side, rect.bottom() - side, side, side};
  fill_rect(ui, bounds, ui.theme.accent, ui.px(2));
  if (side >= ui.px(10))
    draw_text(ui, ui.fonts.mono_tiny, bounds, "S", ui.theme.on_accent, TextAlign::kCentre);
}

void take_click(Ui& ui, const HeadRef& head) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.KeyCtrl || io.KeyShift) return toggle_chosen(ui, head);
  ui.state.heads.chosen.clear();
  go_to_head(ui, head);
}

// What the head does by its measured label, which `attribute --kind labels` prints too. Empty for
// heads that attend to another text.
std::string role_of_head(Ui& ui, const HeadRef& head) {
  if (head.at.sublayer == attention::network::Sublayer::kCross) return {};
  ui.requested.labels = true;  // measured once, in the background
  const auto& entry = ui.analysis.labels;
  if (!entry.error.empty()) return {};
  if (!entry.value || !entry.current || entry.progress < 1) return tr("Role: being measured …");
  const auto& heads = entry.value->heads;
  const auto found = std::ranges::find_if(heads, [&](const LabelledHead& one) {
    return one.at.at == head.at && one.at.head == head.head;
  });
  if (found == heads.end()) return {};
  const std::string label = label_of(found->scores);
  if (label.empty()) return tr("Role: none that is clear");
  const auto& scores = found->scores;
  const float most = std::max({scores.previous, scores.first, scores.duplicate, scores.induction});
  return tr("Role: {}, {} of its attention",
            {tr(label), explain::percent_text(static_cast<double>(most))});
}

std::string explanation(Ui& ui, const HeadRef& head) {
  const Document& document = ui.document();
  const attention::HeadMix mix = head_mix(document, head);
  std::string text = name_of_head(head);
  if (mix.mute) text += " · " + tr("muted");
  if (mix.solo) text += " · " + tr("solo");
  if (mix.scale != 1) text += " · × " + shortest(mix.scale);
  if (output_patch(document, head) != nullptr) text += " · " + tr("patched");
  if (const std::string role = role_of_head(ui, head); !role.empty()) text += "\n" + role;
  return text + "\n" +
         tr("Click: look at it · Ctrl+click: select several · right click or G: more") + "\n" +
         tr("M mutes · S solo · K marks");
}

}  // namespace

void draw_convolution(Ui& ui, const Rect& rect, attention::Index layer) {
  const std::string id = "tile/convolution/" + std::to_string(layer);
  if (click_area(ui, id, rect))
    ui.queue(intent::GoToLayer{{attention::network::Sublayer::kSelf, layer}});
  tooltip(ui, tr("Layer {} is a convolution: each token is mixed with those just before it, by "
                 "weights that are the same at every token. It has no heads, and nothing to mute.",
                 {std::to_string(layer)}));
  fill_rect(ui, rect, ui.theme.button, ui.px(3));
  draw_label(ui, rect.inset(ui.px(2)), tr("convolution, no attention"), 11.5f, ui.theme.dim,
             TextAlign::kCentre);
}

void hatch_tile(Ui& ui, const Rect& rect) {
  fill_rect(ui, rect, ui.theme.card, 0, 0.72f);
  ui.canvas().PushClipRect(rect.min(), rect.max(), true);
  const float step = ui.px(6);
  for (float x = rect.x - rect.h; x < rect.right(); x += step)
    ui.canvas().AddLine({x, rect.bottom()}, {x + rect.h, rect.y}, pack(ui.theme.dim),
                        std::max(1.0f, ui.px(1)));
  ui.canvas().PopClipRect();
}

void draw_map_of_tile(Ui& ui, const Tile& tile, const TileContent& content) {
  const HeadMaps& maps = content.maps;
  const auto rows = static_cast<float>(maps.count.rows);
  const auto cols = static_cast<float>(maps.count.cols);
  const auto layer = static_cast<float>(tile.head.at.layer);
  const auto head = static_cast<float>(tile.head.head);
  HeatMapPaint paint;
  paint.min = tile.rect.min();
  paint.max = tile.rect.max();
  paint.uv_min = {head / cols, layer / rows};
  paint.uv_max = {(head + 1) / cols, (layer + 1) / rows};
  paint.palette = shown_palette(ui, Stage::kWeights);
  paint.dark = ui.theme.dark;
  paint.range = {0, 1};
  paint.gap = 0;
  paint.surface = ui.theme.card;
  paint.ink = ui.theme.dim;
  ui.textures.paint(ui.canvas(), ui.values.texture(maps.weights), paint);
}

namespace {

// The map or the number of the head, hatched if the head is not active.
void draw_content(Ui& ui, const Tile& tile, const TileContent& content, bool silent) {
  if (!content.numbers) {
    draw_map_of_tile(ui, tile, content);
    if (silent) hatch_tile(ui, tile.rect);
    return;
  }
  const float value = number_of(*content.numbers, tile.head);
  fill_with_number(ui, tile.rect, *content.numbers, value);
  if (silent) hatch_tile(ui, tile.rect);
  write_number(ui, tile.rect, *content.numbers, value, silent);
}

}  // namespace

void draw_tile(Ui& ui, const Tile& tile, const TileContent& content) {
  const auto& [head, rect] = tile;
  const Document& document = ui.document();
  if (click_area(ui, widget_of_head(ui, head), rect)) take_click(ui, head);
  const bool pointed = is_pointed_at(ui);
  if (pointed) tooltip(ui, explanation(ui, head));
  draw_content(ui, tile, content, is_silent(document, head));
  if (head_mix(document, head).solo) mark_solo(ui, rect);
  draw_head_marks(ui, rect, head);
  if (ui.state.model.sorted && content.numbers) name_in_tile(ui, rect, head);
  take_right_click(ui, head, rect);
  const bool is_focused = focused_head(ui) == head;
  const figure::Rgb colour = is_focused            ? ui.theme.accent
                             : is_chosen(ui, head) ? ui.theme.selected
                             : pointed             ? ui.theme.dim
                                                   : ui.theme.line;
  const float thick = is_focused || is_chosen(ui, head) ? ui.px(2) : std::max(1.0f, ui.px(1));
  const Rect frame{rect.x - 1, rect.y - 1, rect.w + 2, rect.h + 2};
  frame_rect(ui, frame, colour, thick, ui.px(3));
}

}  // namespace lab::view
