#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <filesystem>

#include "app/files/open.h"
#include "app/translation/words.h"
#include "app/view/focus/chord.h"
#include "app/view/guide/guide_links.h"
#include "app/view/guide/guide_pages.h"
#include "app/view/guide/guide_panels.h"
#include "app/view/session/dialog_parts.h"
#include "app/view/session/file_actions.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/popup.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr float kGuideWidth = 1000, kGuideHeight = 820, kAcrossGuide = 60, kAroundGuide = 84;
constexpr float kLeastGuideHeight = 120, kGuideBar = 30, kGuideGap = 12, kContents = 220;
constexpr float kLeastBeside = 640;  // narrower dialogs show contents or page, not both

// The ‹ button for `by` = −1, the › button for 1.
void step_button(Ui& ui, const Rect& bounds, int by) {
  GuideState& guide = ui.state.guide;
  const std::string name = by < 0 ? "guide/back" : "guide/forward";
  const bool enabled = can_step(guide, by), clicked = click_area(ui, name, bounds);
  const bool hovered = ImGui::IsItemHovered();
  tooltip(ui, by < 0 ? tr("Back   {}", {chord_text({Key::kLeft, false, false, true})})
                     : tr("Forward   {}", {chord_text({Key::kRight, false, false, true})}));
  const bool pressed = guide_stop(ui, name, bounds);
  fill_rect(ui, bounds, hovered && enabled ? ui.theme.button_hover : ui.theme.button, ui.px(6));
  draw_chevron(ui, bounds, by < 0, enabled ? ui.theme.text : ui.theme.disabled);
  if (clicked || pressed) step_visits(guide, by);
}

void search_box(Ui& ui, const Rect& bounds) {
  ImGui::SetCursorScreenPos(bounds.min());
  ImGui::SetNextItemWidth(bounds.w);
  if (ui.state.requests.take(request::GiveKeyboard{TextField::kDialog}))
    ui.state.early_text.give_keyboard();
  const bool entered =
      ImGui::InputTextWithHint("##guide", tr("Search the guide").c_str(), &ui.state.dialog.search,
                               ImGuiInputTextFlags_EnterReturnsTrue);
  ui.name_item("guide/search");
  guide_stop(ui, "guide/search", bounds);
  if (entered) go_to_found(ui);
}

void contents_button(Ui& ui, const Rect& bounds) {
  const bool clicked = button(ui, "guide/contents", bounds, tr("Contents"));
  if (guide_stop(ui, "guide/contents", bounds) || clicked)
    visit_location(ui.state.guide, {std::string(kContentsPage), {}});
}

// Takes its place from the right end of the bar.
void close_button(Ui& ui, Rect& bar) {
  const Rect bounds = bar.cut_right(button_width(ui, tr("Close")));
  bar.cut_right(ui.px(kGuideGap));
  const bool clicked = button(ui, "dialog/ok", bounds, tr("Close"), ButtonLook::kActive);
  if (guide_stop(ui, "dialog/ok", bounds) || clicked) close_dialog(ui);
}

void step_buttons(Ui& ui, Rect& bar) {
  const float side = bar.h;
  step_button(ui, bar.cut_left(side), -1);
  bar.cut_left(ui.px(4));
  step_button(ui, bar.cut_left(side), 1);
}

// Draws the contents beside the page.
void wide_guide(Ui& ui, Rect area) {
  Rect left = area.cut_left(ui.px(kContents));
  area.cut_left(ui.px(kGuideGap));
  search_box(ui, left.cut_top(ui.px(kGuideBar)));
  left.cut_top(ui.px(kGuideGap));
  Rect bar = area.cut_top(ui.px(kGuideBar));
  step_buttons(ui, bar);
  close_button(ui, bar);
  area.cut_top(ui.px(kGuideGap));
  guide_contents(ui, left);
  guide_page(ui, area);
}

// Draws the page alone, or the search results instead of it.
void narrow_guide(Ui& ui, Rect area) {
  Rect bar = area.cut_top(ui.px(kGuideBar));
  area.cut_top(ui.px(kGuideGap));
  step_buttons(ui, bar);
  close_button(ui, bar);
  bar.cut_left(ui.px(kGuideGap));
  contents_button(ui, bar.cut_left(button_width(ui, tr("Contents"))));
  bar.cut_left(ui.px(kGuideGap));
  search_box(ui, bar);
  if (ui.state.guide.arrives) ui.state.dialog.search.clear();
  if (ui.state.dialog.search.empty()) return guide_page(ui, area);
  guide_contents(ui, area);
}

}  // namespace

void open_guide(Ui& ui) {
  GuideState& guide = ui.state.guide;
  const std::filesystem::path assets = files::assets_folder();
  guide.guide = std::make_shared<const Guide>(read_guide((assets / "guide").string()));
  guide.arrives = true;
  guide.keyboard_focus.clear();
  open_dialog(ui, Dialog::kGuide);
  ui.state.requests.withdraw<request::GiveKeyboard>();  // the keys scroll the page
}

void guide_dialog(Ui& ui) {
  if (ui.state.guide.guide == nullptr) open_guide(ui);
  take_guide_keys(ui);
  const ImVec2 at = ImGui::GetCursorScreenPos(), screen = ImGui::GetIO().DisplaySize;
  const float width = std::min(ui.px(kGuideWidth), screen.x - ui.px(kAcrossGuide));
  const float height =
      std::clamp(screen.y - ui.px(kAroundGuide), ui.px(kLeastGuideHeight), ui.px(kGuideHeight));
  const Rect area{at.x, at.y, width, height};
  if (width < ui.px(kLeastBeside)) {
    narrow_guide(ui, area);
  } else {
    wide_guide(ui, area);
  }
  ImGui::SetCursorScreenPos({at.x + width - 1, at.y + height - 1});
  ImGui::Dummy({1, 1});
}

}  // namespace lab::view
