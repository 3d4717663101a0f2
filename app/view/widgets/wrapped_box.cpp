#include "app/view/widgets/wrapped_box.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "app/view/toolkit/box_input.h"

namespace lab::view {
namespace {

// What an edit in the box has to know. All texts are in the form that ImGui's fields hold.
struct BoxEdit {
  std::string text;
  std::string shown;    // what ImGui holds
  std::string wrapped;  // what it should hold unless it is edited
  std::string typed;    // goes to the caret
  float room = 0;
  bool edited = false;
};

// Lets ImGui hold `text` instead, which is mostly as long.
void hold(ImGuiInputTextCallbackData* data, const std::string& text) {
  if (std::ssize(text) == data->BufTextLen) {
    std::ranges::copy(text, data->Buf);
    data->BufDirty = true;
    return;
  }
  data->DeleteChars(0, data->BufTextLen);
  data->InsertChars(0, text.c_str());
}

// Puts `text` in place of the selection, or to the caret.
void insert(ImGuiInputTextCallbackData* data, const std::string& text) {
  const auto [first, last] = std::minmax(data->SelectionStart, data->SelectionEnd);
  if (first < last) data->DeleteChars(first, last - first);
  data->InsertChars(data->CursorPos, text.c_str());
}

int follow_edit(ImGuiInputTextCallbackData* data) {
  BoxEdit& edit = *static_cast<BoxEdit*>(data->UserData);
  const auto held = [data] {
    return std::string_view(data->Buf, static_cast<std::size_t>(data->BufTextLen));
  };
  if (data->EventFlag == ImGuiInputTextFlags_CallbackAlways) {
    if (edit.typed.empty()) {
      if (held() != edit.wrapped) hold(data, edit.wrapped);
      edit.shown = edit.wrapped;
      return 0;
    }
    insert(data, edit.typed);
  }
  edit.edited = true;
  edit.text = unwrapped_text(edit.text, edit.shown, held());
  edit.shown = wrapped_text(edit.text, edit.room);
  if (edit.shown != held()) hold(data, edit.shown);
  return 0;
}

float room_in(float width) {
  const ImGuiStyle& style = ImGui::GetStyle();
  return width - 2 * style.FramePadding.x - style.ScrollbarSize;
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

bool wrapped_box(Ui& ui, const std::string& name, const std::string& label, const Rect& bounds,
                 std::string& text, ImGuiInputTextFlags flags) {
  WrittenBox& box = ui.state.written_box;
  BoxText& form = ui.state.box_text;
  const bool typed_in = box.name == name;
  BoxEdit edit;
  edit.room = room_in(bounds.w);
  edit.text = form.encode(text);
  edit.wrapped = wrapped_text(edit.text, edit.room);
  edit.shown = typed_in ? box.shown : edit.wrapped;
  if (typed_in) edit.typed = form.encode(take_long_text(true));
  std::string held = edit.shown;
  const BoxClipboard clipboard(form, true);
  flags |= ImGuiInputTextFlags_CallbackEdit | ImGuiInputTextFlags_CallbackAlways;
  ImGui::InputTextMultiline(label.c_str(), &held, {bounds.w, bounds.h}, flags, follow_edit, &edit);
  if (ImGui::IsItemActive()) {
    box = {name, edit.shown};
  } else if (box.name == name) {
    box = {};
  }
  if (edit.edited) text = form.decode(edit.text);
  return edit.edited;
}

float wrapped_height(Ui& ui, const std::string& text, float width, int most) {
  const std::string lines = wrapped_text(ui.state.box_text.encode(text), room_in(width));
  const auto count =
      std::clamp<int>(1 + static_cast<int>(std::ranges::count(lines, '\n')), 1, most);
  return static_cast<float>(count) * ImGui::GetFontSize() + 2 * ImGui::GetStyle().FramePadding.y;
}

}  // namespace lab::view
