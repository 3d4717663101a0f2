#include "app/view/widgets/option_rows.h"

#include <imgui.h>

#include <algorithm>

#include "app/view/toolkit/imgui_compat.h"
#include "app/view/toolkit/imgui_focus.h"
#include "app/view/widgets/dialog_text.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr float kLabel = 74, kNumber = 74, kList = 400;

// Keeps the keyboard on the last widget after Space or a click has ticked it.
void mark_ticked(bool ticked) {
  if (ticked) compat::show_focused_item();
}

// Where ImGui writes the label of the mark that comes next.
ImVec2 beside_mark() {
  const ImGuiStyle& style = ImGui::GetStyle();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  return {at.x + ImGui::GetFrameHeight() + style.ItemInnerSpacing.x, at.y + style.FramePadding.y};
}

bool radio(Ui& ui, const std::string& label, const std::string& name, bool chosen) {
  const ImVec2 at = beside_mark();
  const bool clicked = ImGui::RadioButton(item_label(ui, label, name).c_str(), chosen);
  mark_ticked(clicked);
  ui.name_item(name);
  draw_item_label(ui, label, at);
  return clicked;
}

}  // namespace

void begin_row(Ui& ui, const std::string& name) {
  ImGui::AlignTextToFramePadding();
  const float left = ImGui::GetCursorPosX();
  ImGui::PushStyleColor(ImGuiCol_Text, pack(ui.theme.dim));
  ImGui::TextUnformatted(name.c_str());
  ImGui::PopStyleColor();
  const float width = ImGui::CalcTextSize(name.c_str()).x + ui.px(8);
  ImGui::SameLine(left + std::max(ui.px(kLabel), width), 0);
}

void end_row() { ImGui::NewLine(); }

bool row_choice(Ui& ui, const std::string& label, const std::string& name, bool chosen) {
  const bool clicked = radio(ui, label, name, chosen);
  ImGui::SameLine(0, ui.px(12));
  return clicked;
}

bool list_choice(Ui& ui, const std::string& label, const std::string& name, bool chosen) {
  return radio(ui, label, name, chosen);
}

std::optional<std::size_t> row_list(Ui& ui, const std::string& name,
                                    const std::vector<std::string>& choices, std::size_t chosen) {
  std::optional<std::size_t> taken;
  ImGui::SetNextItemWidth(ui.px(kList));
  const ImVec2 corner = ImGui::GetCursorScreenPos(), padding = ImGui::GetStyle().FramePadding;
  const Rect shown{corner.x, corner.y, ui.px(kList) - ImGui::GetFrameHeight(),
                   ImGui::GetFrameHeight()};
  const bool open =
      ImGui::BeginCombo(("##" + name).c_str(), item_label(ui, choices[chosen], name).c_str());
  ui.name_item(name);
  if (!open) {
    ImGui::PushClipRect(shown.min(), shown.max(), true);
    draw_item_label(ui, choices[chosen], {corner.x + padding.x, corner.y + padding.y});
    ImGui::PopClipRect();
    return taken;
  }
  ui.state.dialog.list_frame = ImGui::GetFrameCount();
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const std::string label = item_label(ui, choices[i], std::to_string(i));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool clicked = ImGui::Selectable(label.c_str(), i == chosen);
    if (clicked || (compat::is_marked_item() && compat::enter_pressed())) taken = i;
    ui.name_item(name + "/" + std::to_string(i));
    draw_item_label(ui, choices[i], at);
  }
  if (taken) ImGui::CloseCurrentPopup();
  ImGui::EndCombo();
  return taken;
}

void row_note(Ui& ui, const std::string& words) {
  ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(pack(ui.theme.danger)), "%s", words.c_str());
  ImGui::SameLine(0, ui.px(14));
}

void row_tick(Ui& ui, const std::string& label, const std::string& name, bool& value) {
  const ImVec2 at = beside_mark();
  mark_ticked(ImGui::Checkbox(item_label(ui, label, name).c_str(), &value));
  ui.name_item(name);
  draw_item_label(ui, label, at);
  ImGui::SameLine(0, ui.px(14));
}

void row_number(Ui& ui, const std::string& unit, const std::string& name, double& value,
                double least, double most) {
  ImGui::SetNextItemWidth(ui.px(kNumber));
  double typed = value;
  if (ImGui::InputDouble(("##" + name).c_str(), &typed, 0, 0, "%.4g"))
    value = std::clamp(typed, least, most);
  ui.name_item(name);
  ImGui::SameLine(0, ui.px(5));
  ImGui::TextUnformatted(unit.c_str());
  ImGui::SameLine(0, ui.px(14));
}

void row_text(Ui& ui, const std::string& hint, const std::string& name, std::string& text,
              float width) {
  ImGui::SetNextItemWidth(ui.px(width));
  words_field(ui, "##" + name, hint, text);
  ui.name_item(name);
  ImGui::SameLine(0, ui.px(14));
}

}  // namespace lab::view
