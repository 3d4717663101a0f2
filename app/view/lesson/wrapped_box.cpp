#include "app/view/lesson/wrapped_box.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

namespace lab::view {
namespace {

// What an edit in the box has to know.
struct BoxEdit {
  std::string& text;
  std::string shown;  // what ImGui holds
  float room = 0;
};

int follow_edit(ImGuiInputTextCallbackData* data) {
  BoxEdit& edit = *static_cast<BoxEdit*>(data->UserData);
  const std::string_view edited(data->Buf, static_cast<std::size_t>(data->BufTextLen));
  edit.text = unwrapped_text(edit.text, edit.shown, edited);
  edit.shown = wrapped_text(edit.text, edit.room);
  if (edit.shown == edited) return 0;
  std::ranges::copy(edit.shown, data->Buf);  // as long
  data->BufDirty = true;
  return 0;
}

}  // namespace

std::string wrapped_text(std::string text, float room) {
  std::size_t start = 0, blank = text.npos;  // of the line, and its last one
  for (std::size_t at = 0; at <= text.size(); ++at) {
    const bool ends_word = at == text.size() || text[at] == ' ' || text[at] == '\n';
    if (!ends_word) continue;
    if (blank != text.npos && ImGui::CalcTextSize(text.data() + start, text.data() + at).x > room) {
      text[blank] = '\n';
      start = blank + 1;
    }
    const bool ends_line = at < text.size() && text[at] == '\n';
    if (ends_line) start = at + 1;
    blank = ends_line ? text.npos : at;
  }
  return text;
}

std::string unwrapped_text(const std::string& text, std::string_view shown,
                           std::string_view edited) {
  if (text.size() != shown.size()) return std::string(edited);
  const std::size_t shorter = std::min(shown.size(), edited.size());
  std::size_t before = 0, after = 0;  // bytes that stayed
  while (before < shorter && shown[before] == edited[before]) ++before;
  while (after < shorter - before &&
         shown[shown.size() - 1 - after] == edited[edited.size() - 1 - after])
    ++after;
  return text.substr(0, before) +
         std::string(edited.substr(before, edited.size() - before - after)) +
         text.substr(text.size() - after);
}

void wrapped_box(Ui& ui, const std::string& name, const std::string& label, const Rect& bounds,
                 std::string& text) {
  WrittenBox& box = ui.state.lesson.box;
  const ImGuiStyle& style = ImGui::GetStyle();
  const float room = bounds.w - 2 * style.FramePadding.x - style.ScrollbarSize;
  // ImGui keeps what it holds while it is typed in, even if the box becomes narrower.
  std::string shown = box.name == name ? box.shown : wrapped_text(text, room);
  BoxEdit edit{text, shown, room};
  ImGui::InputTextMultiline(label.c_str(), &shown, {bounds.w, bounds.h},
                            ImGuiInputTextFlags_CallbackEdit, follow_edit, &edit);
  if (ImGui::IsItemActive()) {
    box = {name, edit.shown};
  } else if (box.name == name) {
    box = {};
  }
}

}  // namespace lab::view
