#include "app/view/pending.h"

#include "app/document/reducer.h"
#include "app/view/number_input.h"

namespace lab {
namespace {

// Makes `text`, when there is one, an edit and closes its field. False when it is refused.
bool commit_text(Ui& ui, std::optional<std::string>& text,
                 const std::function<Command(float)>& make) {
  if (!text) return true;
  if (!queue_typed(ui, *text, make)) return false;
  text.reset();
  return true;
}

}  // namespace

bool is_dragging(const Ui& ui) { return ui.state.edit.pressed || ui.state.sliding; }

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
  return commit_text(ui, ui.state.edit.typing,
                     [&ui](float value) { return set_cursor_cell(ui, value); }) &&
         commit_text(ui, ui.state.temperature_text,
                     [](float value) { return SetTemperature{value}; }) &&
         commit_text(ui, ui.state.heads.scale_text, [&ui](float value) {
           return SetHeadMix{.head = ui.state.head, .scale = value};
         });
}

bool cancel_pending(Ui& ui) {
  EditState& edit = ui.state.edit;
  std::optional<std::string>& scale_text = ui.state.heads.scale_text;
  if (!edit.typing && !ui.state.temperature_text && !scale_text && !is_dragging(ui)) return false;
  edit.typing.reset();
  scale_text.reset();
  ui.state.temperature_text.reset();
  edit.pressed = edit.dragging = ui.state.sliding = false;
  ui.queue(intent::Cancel{});
  return true;
}

}  // namespace lab
