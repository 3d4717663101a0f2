#include "app/view/model/tile_menu.h"

#include <algorithm>
#include <array>

#include "app/base/wording.h"
#include "app/translation/words.h"
#include "app/view/maps/model_patches.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/popup.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr std::array kGains{-1.0f, 0.0f, 0.5f, 1.0f, 1.5f, 2.0f, 4.0f};

// The heads that the menu of `head` is about: those that keys are about, if it is one of them.
std::vector<ModelHead> heads_of_menu(const Ui& ui, const ModelHead& head) {
  std::vector<ModelHead> heads = chosen_heads(ui);
  if (std::ranges::find(heads, head) == heads.end()) return {head};
  return heads;
}

// One button a gain, the one that all heads have in colour.
void gain_buttons(Ui& ui, const std::vector<ModelHead>& heads) {
  const ModelDocument& model = *shown_model(ui);
  const float width = ui.px(36), height = ui.px(22);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  Rect row{at.x, at.y, ui.px(70) + static_cast<float>(kGains.size()) * (width + ui.px(3)), height};
  const Rect whole = row;
  draw_text(ui, ui.fonts.text, row.cut_left(ui.px(70)), tr("Gain ×"), ui.theme.text);
  for (const float gain : kGains) {
    const bool on = std::ranges::all_of(
        heads, [&](const ModelHead& head) { return mix_of_head(model, head).scale == gain; });
    const Rect place = row.cut_left(width);
    row.cut_left(ui.px(3));
    if (button(ui, "tile/gain/" + shortest(gain), place, shortest(gain),
               on ? ButtonLook::kActive : ButtonLook::kQuiet))
      set_gains(ui, heads, gain);
  }
  ImGui::SetCursorScreenPos(whole.min());
  ImGui::Dummy({whole.w, whole.h});
}

void patch_items(Ui& ui, const std::vector<ModelHead>& heads) {
  const ModelDocument& model = *shown_model(ui);
  if (model_of_a(ui).document && menu_item(ui, "tile/patch", tr("Patch from A")))
    patch_from_a(ui, heads);
  const bool any =
      std::ranges::any_of(heads, [&](const ModelHead& head) { return is_patched(model, head); });
  if (any && menu_item(ui, "tile/unpatch", tr("Remove the patch"))) remove_patches(ui, heads);
}

void choice_items(Ui& ui, const ModelHead& head) {
  auto& chosen = ui.state.model.chosen;
  const auto layer =
      static_cast<attention::Index>(find_attention(shown_model(ui)->network, head.at)->n_heads);
  if (menu_item(ui, "tile/layer", tr("Select all heads of the layer"))) {
    chosen.clear();
    for (attention::Index one = 0; one < layer; ++one) chosen.push_back({head.at, one});
  }
  if (!chosen.empty() && menu_item(ui, "tile/none", tr("Select none"))) chosen.clear();
}

void head_items(Ui& ui, const ModelHead& head) {
  const std::vector<ModelHead> heads = heads_of_menu(ui, head);
  const attention::HeadMix mix = mix_of_head(*shown_model(ui), head);
  ImGui::TextDisabled("%s", name_of_heads(heads).c_str());
  if (menu_item(ui, "tile/look", tr("Look at it"), tr("Enter"))) go_to_head(ui, head);
  if (menu_item(ui, "tile/mute", tr("Mute head"), "M", mix.mute)) toggle_mutes(ui, heads);
  if (menu_item(ui, "tile/solo", tr("Solo head"), "S", mix.solo)) toggle_solos(ui, heads);
  if (menu_item(ui, "tile/mark", tr("Mark head"), "K", is_marked(ui, head)))
    toggle_marks(ui, heads);
  gain_buttons(ui, heads);
  patch_items(ui, heads);
  ImGui::Separator();
  choice_items(ui, head);
}

}  // namespace

void take_right_click(Ui& ui, const ModelHead& head, const Rect& tile) {
  if (!ImGui::IsMouseClicked(1) || !tile.contains(ImGui::GetIO().MousePos) ||
      !ImGui::IsWindowHovered())
    return;
  ui.state.model.menu = head;
  open_popup(kTileMenu);
}

void tile_menu(Ui& ui, const Rect& tile) {
  open_requested_popup(ui, kTileMenu);
  if (!ui.state.model.menu || !begin_popup(ui, kTileMenu, tile)) return;
  head_items(ui, *ui.state.model.menu);
  end_popup();
}

}  // namespace lab::view
