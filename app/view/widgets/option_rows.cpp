#include "app/view/widgets/option_rows.h"

#include <imgui.h>

#include <algorithm>

#include "app/view/toolkit/imgui_compat.h"
#include "app/view/toolkit/imgui_focus.h"
#include "app/view/widgets/dialog_text.h"
#include "app/view/widgets/popup.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr float kLabel = 88, kNumber = 74, kOptionRow = 580;
constexpr float kAfterName = 110;  // of a second name in a row: what must fit beside it

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

// The gap after the last item takes no room.
void begin_line() {
  ImGui::SetCursorPosX(ImGui::GetCursorStartPos().x);
  ImGui::NewLine();
}

float room_in_row(const Ui& ui) {
  return ImGui::GetCursorStartPos().x + option_row_width(ui) - ImGui::GetCursorPosX();
}

// Goes on in the next line unless there is room for something `width` pixels wide. Returns the
// width that there is for it.
float take_room(Ui& ui, float width) {
  const float first = ui.state.dialog.row_left;
  if (width > room_in_row(ui) && ImGui::GetCursorPosX() > first) {
    begin_line();
    ImGui::SetCursorPosX(first);
  }
  return std::min(width, room_in_row(ui));
}

float label_width(const std::string& label) {
  return ImGui::CalcTextSize(label.c_str(), nullptr, true).x;
}

// Of a mark and its label.
float marked_width(const std::string& label) {
  return ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x + label_width(label);
}

bool radio(Ui& ui, const std::string& label, const std::string& name, bool chosen) {
  const ImVec2 at = beside_mark();
  const bool clicked = ImGui::RadioButton(item_label(ui, label, name).c_str(), chosen);
  mark_ticked(clicked);
  ui.name_item(name);
  draw_item_label(ui, label, at);
  return clicked;
}

// Draws `text` in the whole of `bounds`, in any script; ImGui knows only the letters of its font.
void text_in(Ui& ui, const Rect& bounds, const std::string& text) {
  const float padding = ImGui::GetStyle().FramePadding.x;
  draw_text(ui, ui.fonts.text, {bounds.x + padding, bounds.y, bounds.w - 2 * padding, bounds.h},
            text, ui.theme.text);
}

Rect last_item() {
  const ImVec2 from = ImGui::GetItemRectMin(), size = ImGui::GetItemRectSize();
  return {from.x, from.y, size.x, size.y};
}

std::optional<std::size_t> taken_from_list(Ui& ui, const std::string& name,
                                           const std::vector<std::string>& choices,
                                           std::size_t chosen) {
  std::optional<std::size_t> taken;
  float widest = 0;
  for (const std::string& choice : choices)
    widest = std::max(widest, text_width(ui, ui.fonts.text, choice));
  const float padding = 2 * ImGui::GetStyle().FramePadding.x;
  widest = std::max(widest + padding, ImGui::GetContentRegionAvail().x);
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const bool clicked = ImGui::Selectable(("##" + std::to_string(i)).c_str(), i == chosen, 0,
                                           {widest, ImGui::GetTextLineHeight()});
    if (clicked || (compat::is_marked_item() && compat::enter_pressed())) taken = i;
    ui.name_item(name + "/" + std::to_string(i));
    text_in(ui, last_item(), choices[i]);
  }
  return taken;
}

}  // namespace

float option_row_width(const Ui& ui) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const float around = 2 * style.WindowPadding.x + style.ScrollbarSize;
  return std::min(ui.px(kOptionRow), ImGui::GetIO().DisplaySize.x - around);
}

void begin_row(Ui& ui, const std::string& name) {
  const bool first = ImGui::GetCursorPosX() <= ImGui::GetCursorStartPos().x;
  const float width = std::max(ui.px(kLabel), label_width(name) + ui.px(8));
  if (!first) take_room(ui, width + ui.px(kAfterName));
  ImGui::AlignTextToFramePadding();
  const float left = ImGui::GetCursorPosX();
  ImGui::PushStyleColor(ImGuiCol_Text, pack(ui.theme.dim));
  ImGui::TextUnformatted(name.c_str());
  ImGui::PopStyleColor();
  ImGui::SameLine(left + width, 0);
  if (first) ui.state.dialog.row_left = ImGui::GetCursorPosX();
}

void end_row() { begin_line(); }

bool row_choice(Ui& ui, const std::string& label, const std::string& name, bool chosen) {
  take_room(ui, marked_width(label));
  const bool clicked = radio(ui, label, name, chosen);
  ImGui::SameLine(0, ui.px(12));
  return clicked;
}

bool list_choice(Ui& ui, const std::string& label, const std::string& name, bool chosen) {
  return radio(ui, label, name, chosen);
}

std::optional<std::size_t> row_list(Ui& ui, const std::string& name,
                                    const std::vector<std::string>& choices, std::size_t chosen,
                                    float width) {
  std::optional<std::size_t> taken;
  const float room = take_room(ui, ui.px(width));
  ImGui::SetNextItemWidth(room);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Rect text{at.x, at.y, room - ImGui::GetFrameHeight(), ImGui::GetFrameHeight()};
  const bool open = ImGui::BeginCombo(("##" + name).c_str(), "", ImGuiComboFlags_NoArrowButton);
  ui.name_item(name);
  draw_menu_mark(ui, {text.right() + text.h / 2, text.y + text.h / 2});
  if (open) {
    ui.state.dialog.list_frame = ImGui::GetFrameCount();
    taken = taken_from_list(ui, name, choices, chosen);
    if (taken) ImGui::CloseCurrentPopup();
    ImGui::EndCombo();
  }
  text_in(ui, text, choices[chosen]);
  ImGui::SameLine(0, ui.px(14));
  return taken;
}

void row_note(Ui& ui, const std::string& words) {
  take_room(ui, label_width(words));
  ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(pack(ui.theme.danger)), "%s", words.c_str());
  ImGui::SameLine(0, ui.px(14));
}

void row_tick(Ui& ui, const std::string& label, const std::string& name, bool& value) {
  take_room(ui, marked_width(label));
  const ImVec2 at = beside_mark();
  mark_ticked(ImGui::Checkbox(item_label(ui, label, name).c_str(), &value));
  ui.name_item(name);
  draw_item_label(ui, label, at);
  ImGui::SameLine(0, ui.px(14));
}

void row_number(Ui& ui, const std::string& unit, const std::string& name, double& value,
                double least, double most) {
  take_room(ui, ui.px(kNumber) + ui.px(5) + label_width(unit));
  ImGui::SetNextItemWidth(ui.px(kNumber));
  double typed = value;
  if (ImGui::InputDouble(("##" + name).c_str(), &typed, 0, 0, "%.4g"))
    value = std::clamp(typed, least, most);
  ui.name_item(name);
  ImGui::SameLine(0, ui.px(5));
  ImGui::TextUnformatted(unit.c_str());
  ImGui::SameLine(0, ui.px(14));
}

bool row_button(Ui& ui, const std::string& label, const std::string& name, bool enabled) {
  take_room(ui, label_width(label) + 2 * ImGui::GetStyle().FramePadding.x);
  if (!enabled) ImGui::BeginDisabled();
  const bool clicked = ImGui::Button((label + "##" + name).c_str());
  if (!enabled) ImGui::EndDisabled();
  ui.name_item(name);
  ImGui::SameLine(0, ui.px(8));
  return clicked || (enabled && compat::is_marked_item() && compat::enter_pressed());
}

bool row_text(Ui& ui, const std::string& hint, const std::string& name, std::string& text,
              float width) {
  ImGui::SetNextItemWidth(take_room(ui, ui.px(width)));
  words_field(ui, "##" + name, hint, text);
  ui.name_item(name);
  const bool active = ImGui::IsItemActive() || ImGui::IsItemDeactivated();
  ImGui::SameLine(0, ui.px(14));
  return active;
}

}  // namespace lab::view
