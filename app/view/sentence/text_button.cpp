#include "app/view/sentence/text_button.h"

#include <imgui.h>

#include "app/view/widgets/popup.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {

float text_button_width(const Ui& ui, const std::string& text) {
  return text_width(ui, ui.fonts.text, text) + ui.px(18);
}

void text_button(Ui& ui, Rect& rect, const std::string& id, const std::string& text,
                 const char* menu) {
  const Rect place = rect.cut_left(text_button_width(ui, text));
  if (click_area(ui, id, place)) open_popup(menu);
  const figure::Rgb colour = ImGui::IsItemHovered() ? ui.theme.text : ui.theme.dim;
  draw_text(ui, ui.fonts.text, place, text, colour);
  draw_menu_mark(ui, {place.right() - ui.px(8), place.y + place.h / 2});
}

}  // namespace lab::view
