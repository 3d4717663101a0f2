#include "app/view/widgets/dragged.h"

#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {

void show_dragged(const Ui& ui, const std::string& name) {
  const ImVec2 at = ImGui::GetIO().MousePos;
  ImDrawList& canvas = *ImGui::GetForegroundDrawList();
  const float width = text_width(ui, ui.fonts.bold, name) + ui.px(16);
  const ImVec2 from{at.x + ui.px(12), at.y + ui.px(4)}, to{from.x + width, from.y + ui.px(24)};
  canvas.AddRectFilled(from, to, pack(ui.theme.selected), ui.px(5));
  canvas.AddText(ui.fonts.bold, compat::font_size(*ui.fonts.bold),
                 {from.x + ui.px(8), from.y + ui.px(4)}, pack(ui.theme.on_accent), name.c_str());
}

}  // namespace lab::view
