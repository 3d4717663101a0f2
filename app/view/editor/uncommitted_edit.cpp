#include "app/view/editor/uncommitted_edit.h"

#include <cmath>
#include <utility>

#include "app/base/typed_number.h"
#include "app/translation/words.h"
#include "app/view/editor/edit_block.h"
#include "app/view/editor/override_edit.h"
#include "app/view/solving/answer.h"

namespace lab::view {
namespace {

// Commits `text`, if any, and closes its field. False when it is refused; typing then replaces it
// if the field can be `selected`.
bool commit_text(Ui& ui, std::optional<std::string>& text,
                 const std::function<Command(float)>& make, bool* selected = nullptr) {
  if (!text) return true;
  const bool accepted = queue_typed(ui, *text, make);
  if (selected != nullptr) *selected = !accepted;
  if (accepted) text.reset();
  return accepted;
}

bool is_typing(const ViewState& state) {
  return state.edit.typing || state.overriding.typing || state.solve.typing ||
         state.temperature_text || state.model.adapter_text || state.heads.scale_text;
}

// A box that was not drawn since the document changed is only out of date, not refused.
bool is_refused(const SentenceState& box, const std::string& sentence) {
  return box.seen == sentence && box.text != sentence;
}

// A field that was opened but not changed does not override anything.
bool commit_override(Ui& ui) {
  OverrideState& overriding = ui.state.overriding;
  if (overriding.typing && *overriding.typing == overriding.offered) {
    overriding.typing.reset();
    ui.queue(intent::Cancel{});
  }
  return commit_text(
      ui, overriding.typing, [&](float value) { return type_over(ui, overriding.target, value); },
      &overriding.selected);
}

}  // namespace

bool is_dragging(const Ui& ui) {
  return ui.state.edit.gesture != Gesture::kNone || ui.state.sliding || ui.state.solve.pressed;
}

Command set_cursor_cell(const Ui& ui, float value) {
  const auto [row, col] = ui.state.edit.cursor;
  return set_numbers(ui, {row, col, 1, 1}, attention::Matrix::Constant(1, 1, value));
}

void preview_typed(Ui& ui, const std::string& text, const std::function<Command(float)>& make) {
  const std::optional<float> value = parse_typed_number(text);
  if (!value) return ui.queue(intent::Cancel{});
  const Command command = make(*value);
  auto dry_run = ui.attempt(command);
  if (!dry_run) return ui.queue(intent::Cancel{});
  ui.queue(intent::Preview{command, std::move(*dry_run)});
}

bool queue_typed(Ui& ui, const std::string& text, const std::function<Command(float)>& make) {
  ui.queue(intent::Cancel{});
  const std::optional<float> value = parse_typed_number(text);
  if (!value) {
    ui.state.error = tr("“{}” is not a number.", {text});
    return false;
  }
  if (std::isinf(*value) && text.find_first_of("0123456789") != text.npos) {
    ui.state.error = tr("“{}” is too large a number.", {text});
    return false;
  }
  const Command command = make(*value);
  auto dry_run = ui.attempt(command);
  if (!dry_run) {
    ui.state.error = dry_run.error().message;
    return false;
  }
  ui.queue(intent::Apply{command, std::move(*dry_run)});
  return true;
}

bool commit_pending(Ui& ui) {
  if (is_dragging(ui)) return false;
  return commit_text(
             ui, ui.state.edit.typing, [&ui](float value) { return set_cursor_cell(ui, value); },
             &ui.state.edit.selected) &&
         commit_override(ui) && commit_pending_answer(ui) &&
         commit_text(ui, ui.state.temperature_text,
                     [](float value) { return SetTemperature{value}; }) &&
         commit_text(ui, ui.state.model.adapter_text,
                     [](float value) { return SetAdapterGain{value}; }) &&
         commit_text(ui, ui.state.heads.scale_text, [&ui](float value) {
           return SetHeadMix{.head = ui.state.head, .scale = value};
         });
}

bool commit_to_block(Ui& ui) {
  const CellBlock block = selected_block(ui);
  return commit_text(ui, ui.state.edit.typing, [&](float value) {
    return set_numbers(ui, block, attention::Matrix::Constant(block.rows, block.cols, value));
  });
}

bool cancel_pending(Ui& ui) {
  if (!is_typing(ui.state) && !is_dragging(ui) && !ui.state.solve.finishing) return false;
  forget_pending(ui.state);
  ui.queue(intent::Cancel{});
  return true;
}

void end_lost_edits(Ui& ui) {
  EditState& edit = ui.state.edit;
  const bool drawn = std::exchange(edit.drawn, false);
  if (!drawn) edit.focused = false;
  // Dear ImGui releases a widget one frame after it was not drawn.
  const bool held = ImGui::IsAnyItemActive();
  if ((is_dragging(ui) && !held) || (edit.typing && !drawn)) cancel_pending(ui);
  // The steps of a training are previewed while they are taken.
  const bool training = ui.state.training.followed || ui.state.training.scrubbing;
  const bool kept =
      held || training || ui.state.solve.finishing || is_typing(ui.state) || !ui.intents.empty();
  if (ui.workspace.history().previewing() && !kept) ui.queue(intent::Cancel{});
}

void forget_pending(ViewState& state) {
  state.edit.typing.reset();
  state.overriding.typing.reset();
  state.solve.typing.reset();
  state.solve.pressed = state.solve.dragging = state.solve.finishing = false;
  state.heads.scale_text.reset();
  state.temperature_text.reset();
  state.model.adapter_text.reset();
  state.edit.gesture = Gesture::kNone;
  state.edit.dragging = state.sliding = false;
}

bool has_refused_sentence(const Ui& ui) {
  const Document& document = ui.edited();
  return is_refused(ui.state.sentence, document.sentence) ||
         is_refused(ui.state.kv_sentence, document.kv_sentence);
}

bool revert_refused_sentence(Ui& ui) {
  if (!has_refused_sentence(ui)) return false;
  const Document& document = ui.edited();
  // A box whose document has changed adopts the document's text.
  for (const auto& [box, sentence] : {std::pair(&ui.state.sentence, &document.sentence),
                                      std::pair(&ui.state.kv_sentence, &document.kv_sentence)}) {
    if (is_refused(*box, *sentence)) box->seen = box->text;
  }
  ui.queue(intent::Cancel{});  // and its message disappears
  return true;
}

void leave_field(Ui& ui) {
  if (!commit_pending(ui)) cancel_pending(ui);
}

}  // namespace lab::view
