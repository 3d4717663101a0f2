#include <algorithm>
#include <array>
#include <span>

#include "app/base/visible_text.h"
#include "app/document/model/model_document.h"
#include "app/files/model/model_list.h"
#include "app/files/open.h"
#include "app/translation/words.h"
#include "app/view/actions/actions.h"
#include "app/view/session/file_actions.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/popup.h"
#include "app/view/widgets/widgets.h"
#include "app/view/window/window_panels.h"

namespace lab::view {
namespace {

constexpr std::array<std::string_view, 7> kMenus{"File",  "Edit",    "View", "Model",
                                                 "Heads", "Explain", "Help"};
constexpr std::string_view kName = "Attention Lab";
constexpr const char *kExport = tr_later("Export…"), *kJoined = tr_later("Menu"),
                     *kPresent = tr_later("Present F5");
constexpr float kTopButtonHeight = 28, kButtonGap = 10;
constexpr float kNarrowestExample = 90;

}  // namespace

void menu_items(Ui& ui, std::string_view menu) {
  for (const Action& action : all_actions()) {
    if (action.menu != menu) continue;
    if (action.starts_group) ImGui::Separator();
    action_item(ui, std::string(action.id), action);
  }
}

namespace {

std::string popup_of(std::string_view menu) { return "menu/" + std::string(menu); }

// While a menu is open, pointing at another one opens it.
bool switches_to(std::string_view menu, const Rect& bounds) {
  const auto other_is_open = [menu](std::string_view other) {
    return other != menu && ImGui::IsPopupOpen(popup_of(other).c_str());
  };
  return bounds.contains(ImGui::GetIO().MousePos) && std::ranges::any_of(kMenus, other_is_open);
}

// Left and right move from one open menu to the next.
void handle_arrows() {
  const auto is_open = [](std::string_view menu) {
    return ImGui::IsPopupOpen(popup_of(menu).c_str());
  };
  const auto open = std::ranges::find_if(kMenus, is_open);
  const std::size_t by = compat::key_pressed(Key::kRight)  ? 1
                         : compat::key_pressed(Key::kLeft) ? kMenus.size() - 1
                                                           : 0;
  if (open == kMenus.end() || by == 0) return;
  const auto index = static_cast<std::size_t>(open - kMenus.begin());
  open_popup(popup_of(kMenus.at((index + by) % kMenus.size())));
}

void menus(Ui& ui, Rect& rect, float y) {
  handle_arrows();
  for (const std::string_view menu : kMenus) {
    const std::string id = popup_of(menu);
    const std::string name = tr(menu);
    const Rect bounds{rect.x, y, button_width(ui, name), ui.px(kTopButtonHeight)};
    if (button(ui, id, bounds, name) || switches_to(menu, bounds)) open_popup(id);
    if (begin_popup(ui, id, bounds)) {
      menu_items(ui, menu);
      end_popup();
    }
    rect.cut_left(bounds.w + ui.px(kButtonGap));
  }
}

// A button at the right end of `rect` that runs an action.
void action_button(Ui& ui, Rect& rect, float y, std::string_view id, const std::string& name,
                   std::string_view label, ButtonLook look = ButtonLook::kQuiet) {
  const std::string words = tr(label);
  const float width = button_width(ui, words);
  const Rect bounds{rect.right() - width, y, width, ui.px(kTopButtonHeight)};
  const Action& record = action(id);
  if (button(ui, name, bounds, words, look, is_enabled(ui, record))) record.execute(ui);
  tooltip(ui, hint_of(record));
  rect.cut_right(width + ui.px(kButtonGap));
}

bool shows_example(const Ui& ui) {
  const auto all = files::examples();
  return ui.workspace.path().empty() &&
         std::ranges::find(all, ui.document().title, &files::ExampleInfo::title) != all.end();
}

void example_items(Ui& ui) {
  for (const files::ExampleInfo& example : files::examples()) {
    const bool current = example.title == ui.document().title;
    if (menu_item(ui, "example/" + example.name, example.title, {}, current)) {
      leave_document(ui, destination::Source{example.name});
    }
  }
  ImGui::Separator();
  for (const files::ModelInfo& model : files::built_in_models()) {
    const bool current =
        ui.document().layer.model && ui.document().layer.model->source->folder == model.folder;
    if (menu_item(ui, "model/" + model.name, tr("{} (a trained model)", {printable(model.name)}),
                  {}, current))
      leave_document(ui, destination::Source{model.name});
  }
  action_item(ui, "example/get_model", action("file.get_model"));
  ImGui::Separator();
  action_item(ui, "example/lessons", action("help.lessons"));
}

void example_menu(Ui& ui, const Rect& bounds) {
  if (!begin_popup(ui, "menu/Example", bounds)) return;
  example_items(ui);
  end_popup();
}

// All menus in one, for a window that is too narrow for them.
void joined_menu(Ui& ui, Rect& rect, float y) {
  const Rect bounds{rect.x, y, button_width(ui, tr(kJoined)), ui.px(kTopButtonHeight)};
  if (button(ui, "menu/All", bounds, tr(kJoined))) open_popup("menu/All");
  rect.cut_left(bounds.w + ui.px(kButtonGap));
  if (!begin_popup(ui, "menu/All", bounds)) return;
  for (const std::string_view menu : kMenus) {
    menu_items(ui, menu);
    ImGui::Separator();
  }
  example_items(ui);
  end_popup();
}

void example_button(Ui& ui, Rect& rect, float y) {
  const std::string shown = heading_of(ui.workspace);
  const std::string lead = ui.document().layer.model ? tr("Model:")
                           : shows_example(ui)       ? tr("Example:")
                                                     : tr("Session:");
  const float lead_width = text_width(ui, ui.fonts.text, lead) + ui.px(5);
  const float preferred = lead_width + text_width(ui, ui.fonts.bold, shown) + ui.px(22);
  const float width = std::min(preferred, rect.w);
  if (width < ui.px(kNarrowestExample)) return;
  Rect bounds{rect.right() - width, y, width, ui.px(kTopButtonHeight)};
  const Rect whole = bounds;
  if (click_area(ui, "menu/Example", bounds)) open_popup("menu/Example");
  const bool hovered = ImGui::IsItemHovered();
  draw_text(ui, ui.fonts.text, bounds.cut_left(lead_width), lead, ui.theme.dim);
  const Rect mark = bounds.cut_right(ui.px(16));
  draw_text(ui, ui.fonts.bold, bounds, shown, hovered ? ui.theme.accent : ui.theme.text);
  draw_menu_mark(ui, {mark.x + mark.w / 2, mark.y + mark.h / 2});
  example_menu(ui, whole);
}

// What the bar leaves out, in this order, when it is too narrow for everything.
struct Fit {
  bool name = true;   // of the program
  bool words = true;  // on Undo and Redo, beside their arrows
  bool present = true;
  bool menus = true;  // side by side
};

std::string_view compare_label(const Fit& fit) {
  return fit.words ? tr_later("A | B Compare") : "A | B";
}
std::string_view undo_label(const Fit& fit) { return fit.words ? tr_later("↶ Undo") : "↶"; }
std::string_view redo_label(const Fit& fit) { return fit.words ? tr_later("↷ Redo") : "↷"; }

float preferred_width(const Ui& ui, const Fit& fit) {
  const auto buttons = [&ui](auto labels) {
    float width = 0;
    for (const std::string_view label : labels)
      width += button_width(ui, tr(label)) + ui.px(kButtonGap);
    return width;
  };
  const float name = text_width(ui, ui.fonts.title, kName) + ui.px(20);
  const float menu = fit.menus ? buttons(std::span(kMenus)) : buttons(std::array{kJoined});
  const float present = fit.present ? buttons(std::array{kPresent}) : 0;
  return (fit.name ? name : 0) + present + menu + ui.px(6 + kNarrowestExample) +
         buttons(std::array<std::string_view, 4>{kExport, compare_label(fit), redo_label(fit),
                                                 undo_label(fit)});
}

Fit fit_into(const Ui& ui, float width) {
  Fit fit;
  for (bool Fit::*part : {&Fit::name, &Fit::words, &Fit::present, &Fit::menus}) {
    if (preferred_width(ui, fit) > width) fit.*part = false;
  }
  return fit;
}

void program_name(Ui& ui, Rect& rect) {
  draw_text(ui, ui.fonts.title, {rect.x, rect.y, ui.px(140), rect.h}, kName, ui.theme.text);
  rect.cut_left(text_width(ui, ui.fonts.title, kName) + ui.px(20));
}

// Menus, the name of the example or session, Undo, Redo, Export.
void top_bar(Ui& ui, const Rect& whole) {
  Rect rect = whole;
  fill_rect(ui, rect, ui.theme.card);
  fill_rect(ui, {rect.x, rect.bottom() - 1, rect.w, 1}, ui.theme.line);
  const float y = rect.y + std::floor((rect.h - ui.px(kTopButtonHeight)) / 2);
  rect.cut_left(ui.px(14));
  rect.cut_right(ui.px(14));
  const Fit fit = fit_into(ui, rect.w);
  if (fit.name) program_name(ui, rect);
  fit.menus ? menus(ui, rect, y) : joined_menu(ui, rect, y);
  action_button(ui, rect, y, "file.export", "button/export", kExport, ButtonLook::kActive);
  if (fit.present) action_button(ui, rect, y, "view.present", "button/present", kPresent);
  action_button(ui, rect, y, "compare.toggle", "button/compare", compare_label(fit),
                ui.state.compare.a ? ButtonLook::kActive : ButtonLook::kQuiet);
  action_button(ui, rect, y, "edit.redo", "button/redo", redo_label(fit));
  action_button(ui, rect, y, "edit.undo", "button/undo", undo_label(fit));
  rect.cut_right(ui.px(6));
  example_button(ui, rect, y);
}

}  // namespace

extern constexpr PanelInfo kTopBarPanel{
    .name = "top_bar", .region = PanelRegion::kTop, .draw = top_bar, .of_edited = true};

}  // namespace lab::view
