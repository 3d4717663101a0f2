#include <imgui.h>

#include <algorithm>

#include "app/base/visible_text.h"
#include "app/translation/words.h"
#include "app/view/focus/focus_ring.h"
#include "app/view/maps/navigation.h"
#include "app/view/widgets/popup.h"
#include "app/view/widgets/widgets.h"
#include "app/view/window/window_panels.h"

// The strip of a document that another program gave.

namespace lab::view {
namespace {

constexpr float kSourceHeight = 32, kStepWidth = 26, kLayersWidth = 150;
constexpr const char* kLayerMenu = "arrays/layers";

std::string layer_text(int layer) { return "L" + std::to_string(layer); }

void step_to_layer(Ui& ui, Rect& line, bool back) {
  const Rect bounds = line.cut_right(ui.px(kStepWidth));
  line.cut_right(ui.px(4));
  const int next = chosen_array_layer(ui) + (back ? -1 : 1);
  const bool there = next >= 0 && next < ui.workspace.arrays()->layers;
  const char* const id = back ? "arrays/before" : "arrays/after";
  if (button(ui, id, bounds, back ? "‹" : "›", ButtonLook::kQuiet, there))
    go_to_array_layer(ui, back ? -1 : 1);
  tooltip(ui, back ? tr("Layer before") : tr("Layer after"));
}

void layer_menu(Ui& ui, const Rect& bounds) {
  if (!begin_popup(ui, kLayerMenu, bounds)) return;
  const int chosen = chosen_array_layer(ui);
  for (int layer = 0; layer < ui.workspace.arrays()->layers; ++layer)
    if (menu_item(ui, "arrays/layer/" + std::to_string(layer), layer_text(layer), {},
                  layer == chosen))
      ui.state.arrays.requested_layer = layer;
  end_popup();
}

// At the right end of `line`: the layer that is shown, with buttons to the next ones.
void layer_choice(Ui& ui, Rect& line) {
  if (!has_array_layers(ui)) return;
  const std::string value = tr("{} of {} layers", {layer_text(chosen_array_layer(ui)),
                                                   std::to_string(ui.workspace.arrays()->layers)});
  step_to_layer(ui, line, false);
  const float width = std::max(ui.px(kLayersWidth), value_button_width(ui, value, true));
  const Rect bounds = line.cut_right(width);
  line.cut_right(ui.px(4));
  if (value_button(ui, kLayerMenu, bounds, value, true)) open_popup(kLayerMenu);
  layer_menu(ui, bounds);
  step_to_layer(ui, line, true);
}

// What the program is asked for, or what is wrong; empty: nothing.
std::string state_text(const Ui& ui) {
  const ArraysState& state = ui.state.arrays;
  if (state.waiting_for) return tr("waiting for layer {}", {layer_text(*state.waiting_for)});
  if (!state.problem.empty()) return state.problem;
  return state.connected ? std::string() : tr("no longer connected");
}

// Arrays that wait until the user wants to see them again.
void offer(Ui& ui, Rect line) {
  const ArraysOffer& offered = *ui.state.arrays_offer;
  const std::string show = tr("Show");
  const Rect bounds = line.cut_right(button_width(ui, show));
  if (button(ui, "arrays/show", bounds, show)) ui.state.accepts_arrays = true;
  line.cut_right(ui.px(8));
  draw_text(ui, ui.fonts.text, line,
            tr("{} goes on showing {}", {offered.program, printable(offered.name)}), ui.theme.text);
}

void shown_arrays(Ui& ui, Rect line) {
  const auto& arrays = ui.workspace.arrays();
  layer_choice(ui, line);
  const std::string state = state_text(ui);
  const figure::Rgb colour = ui.state.arrays.problem.empty() ? ui.theme.dim : ui.theme.danger;
  const Rect right =
      line.cut_right(std::min(line.w / 2, text_width(ui, ui.fonts.text, state) + ui.px(16)));
  draw_text(ui, ui.fonts.text, right, state, colour, TextAlign::kLeft);
  std::string text = tr("From {}: {}", {arrays->program, printable(arrays->name)});
  if (arrays->updates > 0) text += "  ·  " + tr_count("{} update", "{} updates", arrays->updates);
  draw_text(ui, ui.fonts.text, line, text, ui.theme.text);
}

}  // namespace

float arrays_strip_height(const Ui& ui) {
  const bool needed = ui.workspace.arrays() || ui.state.arrays_offer;
  return needed ? ui.px(kSourceHeight) : 0;
}

void arrays_strip(Ui& ui, const Rect& rect) {
  if (rect.h <= 0) return;
  begin_panel(ui, "status");
  ui.name("arrays", rect);
  fill_rect(ui, rect, ui.theme.card);
  fill_rect(ui, {rect.x, rect.y, rect.w, 1}, ui.theme.line);
  const Rect line{rect.x + ui.px(14), rect.y + ui.px(3), rect.w - ui.px(28), rect.h - ui.px(6)};
  if (ui.workspace.arrays()) return shown_arrays(ui, line);
  if (ui.state.arrays_offer) offer(ui, line);
}

}  // namespace lab::view
