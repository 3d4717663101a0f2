#include "app/view/pending.h"

#include "app/document/reducer.h"
#include "app/view/edit_block.h"
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

bool is_dragging(const Ui& ui) {
  return ui.state.edit.gesture != Gesture::kNone || ui.state.sliding;
}

Command set_cursor_cell(const Ui& ui, float value) {
  const auto [row, col] = ui.state.edit.cursor;
  return set_numbers(ui, {row, col, 1, 1}, attention::Matrix::Constant(1, 1, value));
}

void preview_typed(Ui& ui, const std::string& text, const std::function<Command(float)>& make) {
  const std::optional<float> value = parse_number(text);
  if (value && lab::apply(ui.edited(), make(*value))) {
    ui.queue(intent::Preview{make(*value)});
  } else {
    ui.queue(intent::Cancel{});
  }
}

bool queue_typed(Ui& ui, const std::string& text, const std::function<Command(float)>& make) {
  ui.queue(intent::Cancel{});
  const std::optional<float> value = parse_number(text);
  if (!value) {
    ui.state.error = "“" + text + "” is not a number.";
    return false;
  }
  if (const auto changed = lab::apply(ui.edited(), make(*value)); !changed) {
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
         commit_text(ui, ui.state.overriding.typing,
                     [&ui](float value) {
                       return SetOverride{ui.state.overriding.target, value};
                     }) &&
         commit_text(ui, ui.state.temperature_text,
                     [](float value) { return SetTemperature{value}; }) &&
         commit_text(ui, ui.state.heads.scale_text, [&ui](float value) {
           return SetHeadMix{.head = ui.state.head, .scale = value};
         });
}

bool commit_to_block(Ui& ui) {
  const Block block = selected_block(ui);
  return commit_text(ui, ui.state.edit.typing, [&](float value) {
    return set_numbers(ui, block, attention::Matrix::Constant(block.rows, block.cols, value));
  });
}

bool cancel_pending(Ui& ui) {
  EditState& edit = ui.state.edit;
  OverrideState& overriding = ui.state.overriding;
  std::optional<std::string>& scale_text = ui.state.heads.scale_text;
  const bool typing = edit.typing || overriding.typing || ui.state.temperature_text || scale_text;
  if (!typing && !is_dragging(ui)) return false;
  edit.typing.reset();
  overriding.typing.reset();
  scale_text.reset();
  ui.state.temperature_text.reset();
  edit.gesture = Gesture::kNone;
  edit.dragging = ui.state.sliding = false;
  ui.queue(intent::Cancel{});
  return true;
}

void leave_field(Ui& ui) {
  if (!commit_pending(ui)) cancel_pending(ui);
}

}  // namespace lab
