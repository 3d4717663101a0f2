#include "app/view/pending.h"

#include "app/document/reducer.h"
#include "app/view/number_input.h"

namespace lab {

bool is_dragging(const Ui& ui) { return ui.state.edit.pressed; }

SetCell set_cursor_cell(const Ui& ui, float value) {
  const EditState& edit = ui.state.edit;
  const MatrixRef ref{edit.matrix, is_per_head(edit.matrix) ? ui.state.head : 0};
  return {ref, static_cast<int>(edit.cursor.row), static_cast<int>(edit.cursor.col), value};
}

bool queue_typed(Ui& ui, const std::string& text, const std::function<Command(float)>& make) {
  ui.queue(intent::Cancel{});
  const std::optional<float> value = parse_number(text);
  if (!value) {
    ui.state.error = "“" + text + "” is not a number.";
    return false;
  }
  if (const auto changed = lab::apply(ui.document(), make(*value)); !changed) {
    ui.state.error = changed.error().message;
    return false;
  }
  ui.queue(intent::Apply{make(*value)});
  return true;
}

bool commit_pending(Ui& ui) {
  if (is_dragging(ui)) return false;
  EditState& edit = ui.state.edit;
  if (!edit.typing) return true;
  const auto make = [&ui](float value) { return Command(set_cursor_cell(ui, value)); };
  if (!queue_typed(ui, *edit.typing, make)) return false;
  edit.typing.reset();
  return true;
}

bool cancel_pending(Ui& ui) {
  EditState& edit = ui.state.edit;
  if (!edit.typing && !is_dragging(ui)) return false;
  edit.typing.reset();
  edit.pressed = edit.dragging = false;
  ui.queue(intent::Cancel{});
  return true;
}

}  // namespace lab
