#include "app/view/edit_keys.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "app/view/imgui_compat.h"
#include "app/view/number_input.h"
#include "app/view/pending.h"
#include "app/view/widgets.h"

namespace lab {
namespace {

using attention::Index;

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

// The characters typed in this frame; none while Ctrl makes them shortcuts.
std::string typed_text() {
  std::string text;
  const ImGuiIO& io = ImGui::GetIO();
  if (io.KeyCtrl) return text;
  for (const ImWchar c : io.InputQueueCharacters) {
    if (c >= ' ' && c < 0x7F) text += static_cast<char>(c);
    if (c == 0x2212) text += '-';  // the mathematical minus
  }
  return text;
}

// Shows the number while it is typed, as soon as it is one.
void preview_typed(Ui& ui) {
  const std::optional<float> value = parse_number(*ui.state.edit.typing);
  if (value && std::abs(*value) <= kLargestCell) {
    ui.queue(intent::Preview{set_cursor_cell(ui, *value)});
  } else {
    ui.queue(intent::Cancel{});
  }
}

void extend_typing(Ui& ui, const std::string& text) {
  constexpr std::size_t kLongest = 40;
  std::string& typed = *ui.state.edit.typing;
  if (text.empty() || typed.size() >= kLongest) return;
  typed += text.substr(0, kLongest - typed.size());
  preview_typed(ui);
}

void take_edits(Ui& ui, const EditGrid& grid) {
  if (compat::key_pressed(Key::kDelete, false) || compat::key_pressed(Key::kBackspace, false)) {
    ui.queue(intent::Apply{set_cursor_cell(ui, 0)});
  }
  if (compat::key_pressed(Key::kEnter, false) || compat::key_pressed(Key::kKeypadEnter, false) ||
      compat::key_pressed(Key::kF2, false)) {
    start_typing(ui, grid);
  } else if (std::string first = typed_text(); !first.empty()) {
    ui.state.edit.typing.emplace();
    extend_typing(ui, first);
  }
}

// Keys that end the text field.
void end_typing_by_key(Ui& ui, const EditGrid& grid) {
  const bool enter =
      compat::key_pressed(Key::kEnter, false) || compat::key_pressed(Key::kKeypadEnter, false);
  const bool tab_key = compat::key_pressed(Key::kTab, false);
  const Index back = ImGui::GetIO().KeyShift ? -1 : 1;
  if (compat::key_pressed(Key::kEscape, false)) {
    cancel_pending(ui);
  } else if (enter && commit_pending(ui)) {
    move_cursor(ui, grid, back, 0);
  } else if (tab_key && commit_pending(ui)) {
    tab(ui, grid, back);
  } else if (compat::key_pressed(Key::kDown) && commit_pending(ui)) {
    move_cursor(ui, grid, 1, 0);
  } else if (compat::key_pressed(Key::kUp) && commit_pending(ui)) {
    move_cursor(ui, grid, -1, 0);
  }
}

// The number grows at its end, as in a spreadsheet; arrows and Tab finish it.
void take_typing(Ui& ui, const EditGrid& grid) {
  std::string& text = *ui.state.edit.typing;
  if (compat::key_pressed(Key::kBackspace) && !text.empty()) {
    text.pop_back();
    preview_typed(ui);
  }
  const char* clipboard = nullptr;
  if (ImGui::GetIO().KeyCtrl && compat::key_pressed(Key::kV, false))
    clipboard = ImGui::GetClipboardText();
  extend_typing(ui, clipboard != nullptr ? clipboard : typed_text());
  end_typing_by_key(ui, grid);
}

}  // namespace

bool take_keys(Ui& ui, const EditGrid& grid) {
  EditState& edit = ui.state.edit;
  if (!edit.focused || ui.state.dialog.open != Dialog::kNone) return false;
  if (edit.typing) {
    take_typing(ui, grid);
    return !edit.typing;
  }
  if (compat::key_pressed(Key::kEscape, false)) {
    if (!edit.dragging) edit.focused = false;
    cancel_pending(ui);
    return false;
  }
  if (is_dragging(ui) || ImGui::GetIO().WantTextInput) return false;
  const bool moved = take_moves(ui, grid);
  if (!moved) take_edits(ui, grid);
  return moved;
}

void start_typing(Ui& ui, const EditGrid& grid) {
  EditState& edit = ui.state.edit;
  char text[32];
  const auto [row, col] = edit.cursor;
  const auto written = std::to_chars(text, text + sizeof text, (*grid.matrix)(row, col));
  edit.typing = std::string(text, written.ptr);
}

void typing_field(Ui& ui, const Rect& cell) {
  const float padding = ui.px(5), caret = std::max(1.0f, ui.px(1.3f));
  const std::string& text = *ui.state.edit.typing;
  const float width = std::max(cell.w, text_width(ui, ui.fonts.mono, text) + 2 * padding + caret);
  const float x = std::min(cell.x, ImGui::GetWindowPos().x + ImGui::GetWindowWidth() - width);
  const Rect field{x, cell.y, width, cell.h};
  fill_rect(ui, field, ui.theme.card);
  frame_rect(ui, field, ui.theme.selected, std::max(2.0f, ui.px(2)));
  const Rect place{field.x + padding, field.y, width - 2 * padding, field.h};
  draw_text(ui, ui.fonts.mono, place, text, ui.theme.text);
  const float end = place.x + text_width(ui, ui.fonts.mono, text) + 1;
  fill_rect(ui, {end, field.y + ui.px(4), caret, field.h - ui.px(8)}, ui.theme.text);
}

}  // namespace lab
