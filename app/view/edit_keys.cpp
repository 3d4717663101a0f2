#include "app/view/edit_keys.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "app/view/imgui_compat.h"

namespace lab {
namespace {

using attention::Index;

// Reads a number as it is typed anywhere: a decimal comma is a point, a + or − sign may lead.
std::optional<float> parse_number(std::string text) {
  constexpr std::string_view kMinus = "−";
  std::erase(text, ' ');
  if (text.starts_with(kMinus)) text.replace(0, kMinus.size(), "-");
  if (text.starts_with('+')) text.erase(0, 1);
  std::ranges::replace(text, ',', '.');
  float value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc::result_out_of_range && stop == end) return INFINITY;
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

SetCell set_cursor_cell(const Ui& ui, const EditGrid& grid, float value) {
  const auto [row, col] = ui.state.edit.cursor;
  return {grid.ref, static_cast<int>(row), static_cast<int>(col), value};
}

void move_cursor(Ui& ui, const EditGrid& grid, Index rows, Index cols) {
  const auto shape = grid.matrix.shape();
  Cell& cursor = ui.state.edit.cursor;
  cursor.row = std::clamp<Index>(cursor.row + rows, 0, shape.rows - 1);
  cursor.col = std::clamp<Index>(cursor.col + cols, 0, shape.cols - 1);
}

// Tab goes on to the next row at the end of one, as in a spreadsheet.
void tab(Ui& ui, const EditGrid& grid, Index step) {
  const auto shape = grid.matrix.shape();
  Cell& cursor = ui.state.edit.cursor;
  const Index count = shape.rows * shape.cols;
  const Index place = (cursor.row * shape.cols + cursor.col + step + count) % count;
  cursor = {place / shape.cols, place % shape.cols};
}

struct Move {
  Key key;
  Index rows, cols;
};
constexpr Move kMoves[] = {{Key::kUp, -1, 0},       {Key::kDown, 1, 0},     {Key::kLeft, 0, -1},
                           {Key::kRight, 0, 1},     {Key::kPageUp, -10, 0}, {Key::kPageDown, 10, 0},
                           {Key::kHome, 0, -10000}, {Key::kEnd, 0, 10000}};

bool take_moves(Ui& ui, const EditGrid& grid) {
  for (const Move& move : kMoves) {
    if (!compat::key_pressed(move.key)) continue;
    move_cursor(ui, grid, move.rows, move.cols);
    return true;
  }
  if (!compat::key_pressed(Key::kTab)) return false;
  tab(ui, grid, ImGui::GetIO().KeyShift ? -1 : 1);
  return true;
}

// The character typed in this frame that can start a number.
std::string typed_start() {
  for (const ImWchar c : ImGui::GetIO().InputQueueCharacters) {
    const bool starts = (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == ',';
    const bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');  // nan, inf: answered
    if (starts || word) return std::string(1, static_cast<char>(c));
  }
  return {};
}

void take_edits(Ui& ui, const EditGrid& grid) {
  if (compat::key_pressed(Key::kDelete, false) || compat::key_pressed(Key::kBackspace, false)) {
    ui.queue(intent::Apply{set_cursor_cell(ui, grid, 0)});
  }
  if (compat::key_pressed(Key::kEnter, false) || compat::key_pressed(Key::kKeypadEnter, false) ||
      compat::key_pressed(Key::kF2, false)) {
    start_typing(ui, grid, {});
  } else if (const std::string first = typed_start(); !first.empty() && !ImGui::GetIO().KeyCtrl) {
    start_typing(ui, grid, first);
  }
}

void cancel(Ui& ui) {
  EditState& edit = ui.state.edit;
  edit.typing.reset();
  edit.dragging = false;
  ui.queue(intent::Cancel{});
}

// Keys that end the text field.
void end_typing_by_key(Ui& ui, const EditGrid& grid) {
  const bool enter =
      compat::key_pressed(Key::kEnter, false) || compat::key_pressed(Key::kKeypadEnter, false);
  const bool tab_key = compat::key_pressed(Key::kTab, false);
  const Index back = ImGui::GetIO().KeyShift ? -1 : 1;
  if (compat::key_pressed(Key::kEscape, false)) {
    cancel(ui);
  } else if (enter && finish_typing(ui, grid)) {
    move_cursor(ui, grid, back, 0);
  } else if (tab_key && finish_typing(ui, grid)) {
    tab(ui, grid, back);
  } else if (compat::key_pressed(Key::kDown) && finish_typing(ui, grid)) {
    move_cursor(ui, grid, 1, 0);
  } else if (compat::key_pressed(Key::kUp) && finish_typing(ui, grid)) {
    move_cursor(ui, grid, -1, 0);
  }
}

// Puts the caret behind the first character, which would otherwise be selected.
int caret_at_end(ImGuiInputTextCallbackData* data) {
  auto& pending = *static_cast<bool*>(data->UserData);
  if (std::exchange(pending, false)) {
    data->CursorPos = data->SelectionStart = data->SelectionEnd = data->BufTextLen;
  }
  return 0;
}

}  // namespace

bool take_keys(Ui& ui, const EditGrid& grid) {
  EditState& edit = ui.state.edit;
  if (!edit.focused || ui.state.dialog.open != Dialog::kNone) return false;
  if (edit.typing) {
    end_typing_by_key(ui, grid);
    return !edit.typing;
  }
  if (compat::key_pressed(Key::kEscape, false)) {
    if (!edit.dragging) edit.focused = false;
    cancel(ui);
    return false;
  }
  if (ImGui::GetIO().WantTextInput) return false;
  const bool moved = take_moves(ui, grid);
  if (!moved) take_edits(ui, grid);
  return moved;
}

void start_typing(Ui& ui, const EditGrid& grid, const std::string& first) {
  EditState& edit = ui.state.edit;
  edit.dragging = false;
  edit.start_typing = true;
  edit.caret_to_end = !first.empty();
  edit.typing = first;
  if (!first.empty()) return;
  char text[32];
  const auto [row, col] = edit.cursor;
  const auto written = std::to_chars(text, text + sizeof text, (*grid.matrix)(row, col));
  edit.typing = std::string(text, written.ptr);
}

void typing_field(Ui& ui, const Rect& cell, const EditGrid& grid) {
  EditState& edit = ui.state.edit;
  compat::push_font(ui.fonts.mono);
  const float padding = (cell.h - compat::font_size(*ui.fonts.mono)) / 2;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(5), padding});
  ImGui::PushStyleVar(ImGuiStyleVar_FrameRounding, 0);
  ImGui::PushStyleColor(ImGuiCol_FrameBg, pack(ui.theme.card));
  const float width = std::max(cell.w, ui.px(72));
  const float x = std::min(cell.x, ImGui::GetWindowPos().x + ImGui::GetWindowWidth() - width);
  ImGui::SetCursorScreenPos({x, cell.y});
  ImGui::SetNextItemWidth(width);
  if (std::exchange(edit.start_typing, false)) ImGui::SetKeyboardFocusHere();
  constexpr ImGuiInputTextFlags kFlags = ImGuiInputTextFlags_NoUndoRedo |
                                         ImGuiInputTextFlags_AutoSelectAll |
                                         ImGuiInputTextFlags_CallbackAlways;
  const bool changed =
      ImGui::InputText("##number", &*edit.typing, kFlags, caret_at_end, &edit.caret_to_end);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
  ImGui::PopFont();
  const std::optional<float> value = parse_number(*edit.typing);
  if (changed && value && std::abs(*value) <= kLargestCell) {
    ui.queue(intent::Preview{set_cursor_cell(ui, grid, *value)});
  }
}

bool finish_typing(Ui& ui, const EditGrid& grid) {
  EditState& edit = ui.state.edit;
  if (!edit.typing) return true;
  const std::string text = *std::exchange(edit.typing, std::nullopt);
  const std::optional<float> value = parse_number(text);
  ui.queue(intent::Cancel{});
  if (!value) {
    ui.state.error = "“" + text + "” is not a number; the cell stays as it was.";
    return false;
  }
  ui.queue(intent::Apply{set_cursor_cell(ui, grid, *value)});
  return true;
}

}  // namespace lab
