#include "app/view/cards/head_menu.h"

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
std::vector<HeadRef> heads_of_menu(const Ui& ui, const HeadRef& head) {
  std::vector<HeadRef> heads = chosen_heads(ui);
  if (std::ranges::find(heads, head) == heads.end()) return {head};
  return heads;
}

// One button a gain, the one that all heads have in colour.
void gain_buttons(Ui& ui, const std::vector<HeadRef>& heads) {
  const float width = ui.px(36), height = ui.px(22);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  Rect row{at.x, at.y, ui.px(70) + static_cast<float>(kGains.size()) * (width + ui.px(3)), height};
  const Rect whole = row;
  draw_text(ui, ui.fonts.text, row.cut_left(ui.px(70)), tr("Gain ×"), ui.theme.text);
  for (const float gain : kGains) {
    const bool on = std::ranges::all_of(
        heads, [&](const HeadRef& head) { return head_mix(ui.document(), head).scale == gain; });
    const Rect bounds = row.cut_left(width);
    row.cut_left(ui.px(3));
    if (button(ui, "tile/gain/" + shortest(gain), bounds, shortest(gain),
               on ? ButtonLook::kActive : ButtonLook::kQuiet))
      set_gains(ui, heads, gain);
  }
  ImGui::SetCursorScreenPos(whole.min());
  ImGui::Dummy({whole.w, whole.h});
}

void patch_items(Ui& ui, const std::vector<HeadRef>& heads) {
  if (model_of_a(ui).document && menu_item(ui, "tile/patch", tr("Patch from A")))
    patch_from_a(ui, heads);
  const bool any = std::ranges::any_of(
      heads, [&](const HeadRef& head) { return output_patch(ui.document(), head) != nullptr; });
  if (any && menu_item(ui, "tile/unpatch", tr("Remove the patch"))) remove_patches(ui, heads);
}

void choice_items(Ui& ui, const HeadRef& head) {
  auto& chosen = ui.state.heads.chosen;
  if (menu_item(ui, "tile/layer", tr("Select all heads of the layer"))) {
    chosen.clear();
    for (HeadRef one{head.at, 0}; has_head(ui.document(), one); ++one.head) chosen.push_back(one);
  }
  if (!chosen.empty() && menu_item(ui, "tile/none", tr("Select none"))) chosen.clear();
}

void head_items(Ui& ui, const HeadRef& head) {
  const std::vector<HeadRef> heads = heads_of_menu(ui, head);
  const attention::HeadMix mix = head_mix(ui.document(), head);
  ImGui::TextDisabled("%s", heads_in_text(ui.document(), heads).c_str());
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

void draw_edited(Ui& ui, const Rect& rect) {
  const float side = std::min(ui.px(7), rect.h / 2);
  ui.canvas().AddTriangleFilled({rect.right() - side, rect.y}, {rect.right(), rect.y},
                                {rect.right(), rect.y + side}, pack(ui.theme.selected));
}

void draw_noted(Ui& ui, const Rect& rect) {
  const float radius = std::min(ui.px(3.5f), rect.h / 4);
  ui.canvas().AddCircleFilled({rect.x + radius + ui.px(2), rect.y + radius + ui.px(2)}, radius,
                              pack(ui.theme.right));
}

}  // namespace

void take_right_click(Ui& ui, const HeadRef& head, const Rect& bounds) {
  if (!ImGui::IsMouseClicked(1) || !bounds.contains(ImGui::GetIO().MousePos) ||
      !ImGui::IsWindowHovered())
    return;
  ui.state.heads.menu = head;
  open_popup(kHeadMenu);
}

void head_menu(Ui& ui, const Rect& bounds) {
  open_requested_popup(ui, kHeadMenu);
  const std::optional<HeadRef> head = ui.state.heads.menu;
  if (!head || !has_head(ui.document(), *head) || !begin_popup(ui, kHeadMenu, bounds)) return;
  head_items(ui, *head);
  end_popup();
}

void draw_head_marks(Ui& ui, const Rect& rect, const HeadRef& head) {
  if (is_overridden(ui.document(), head)) draw_edited(ui, rect);
  if (is_marked(ui, head)) draw_noted(ui, rect);
}

}  // namespace lab::view
