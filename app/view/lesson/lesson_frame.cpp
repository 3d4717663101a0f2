#include "app/view/lesson/lesson_panels.h"

#include <algorithm>

#include "app/lessons/lesson_names.h"
#include "app/lessons/lesson_steps.h"
#include "app/translation/words.h"
#include "app/view/lesson/lesson_actions.h"
#include "app/view/lesson/lesson_answers.h"
#include "app/view/state/model_state.h"
#include "app/view/toolkit/imgui_focus.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

/// Shows a trained model as a step wants it: what its tiles show, and the answer that they are
/// about. Both last for the step.
void show_model_step(ModelState& model, const lessons::StepView& view) {
  const std::string_view tiles = lessons::tile_views()[view.tiles.value_or(0)];
  model.tiles = tile_view_from_id(tiles).value_or(TileView::kAttention);
  model.answer = view.answer;
}

constexpr float kFrame = 3, kFrameGap = 3;

const Command* command_in(const Intent& intent) {
  if (const auto* requested = std::get_if<intent::Preview>(&intent)) return &requested->command;
  if (const auto* requested = std::get_if<intent::Apply>(&intent)) return &requested->command;
  if (const auto* requested = std::get_if<intent::ApplyMerged>(&intent)) return &requested->command;
  return nullptr;
}

// The displayed name of a part of the model.
std::string words_of(lessons::Control control) {
  switch (control) {
    case lessons::Control::kSentence:
      return tr("the sentence##kept");
    case lessons::Control::kEmbeddings:
      return tr("the embeddings##kept");
    case lessons::Control::kWeights:
      return tr("the weights##kept");
    case lessons::Control::kMask:
      return tr("the mask##kept");
    case lessons::Control::kSizes:
      return tr("the sizes##kept");
    case lessons::Control::kSwitches:
      return tr("the switches##kept");
    case lessons::Control::kHeads:
      return tr("the heads##kept");
    case lessons::Control::kTraining:
      return tr("the training##kept");
    case lessons::Control::kOverrides:
      break;
  }
  return tr("the overrides##kept");
}

void refuse(Ui& ui, lessons::Control control) {
  ui.state.error = tr("Locked in this step: {}", {words_of(control)});
  // Resets the box to the document's sentence.
  if (control == lessons::Control::kSentence)
    ui.state.sentence.seen = ui.state.kv_sentence.seen = "\n";
}

// The tab of the panel with that widget.
SideTab tab_of(const Ui& ui, std::string_view widget) {
  switch (region_of_widget(ui, widget)) {
    case PanelRegion::kLeft:
      return SideTab::kEdit;
    case PanelRegion::kAboveCentre:
    case PanelRegion::kCentre:
      return SideTab::kMaps;
    case PanelRegion::kLesson:
      return SideTab::kLesson;
    default:
      return SideTab::kExplain;
  }
}

void frame_widget(Ui& ui, const std::string& name) {
  const auto& widgets = ui.widgets.widgets();
  auto found = widgets.find(name);
  if (found == widgets.end())
    found = widgets.find("side/" + std::to_string(static_cast<int>(tab_of(ui, name))));
  if (found == widgets.end()) return;
  const float gap = ui.px(kFrameGap);
  const Rect around{found->second.x - gap, found->second.y - gap, found->second.w + 2 * gap,
                    found->second.h + 2 * gap};
  ImGui::GetForegroundDrawList()->AddRect(around.min(), around.max(), pack(ui.theme.selected),
                                          ui.px(8), 0, ui.px(kFrame));
  ui.widgets.add("highlight/" + name, around);
}

// A step asks its own question, or none.
void ask_for_sensitivity(SensitivityState& sensitivity, const std::optional<StageCell>& asked,
                         const Document& document) {
  sensitivity = {};
  if (!asked) return;
  const attention::CellRef cell{stage_name(asked->stage), asked->head, asked->row, asked->col};
  sensitivity = {.on = true, .held = true, .answer = false, .cell = cell, .at = document.layer.at};
}

}  // namespace

void follow_lesson(Ui& ui) {
  if (!lesson_is_open(ui.state)) return;
  if (!ui.workspace.work_suspended()) return forget_lesson(ui.state);
  if (!ui.state.requests.waiting<request::EndLesson>()) answer_by_edits(ui);
}

void show_step(ViewState& state, const Workspace& workspace) {
  LessonState& lesson = state.lesson;
  if (!std::exchange(lesson.begins, false)) return;
  const lessons::StepView& view = lesson.view;
  if (view.head) state.head = *view.head;
  if (view.selected)
    select_cell(state.selection, view.selected->stage, {view.selected->row, view.selected->col});
  clamp_selection(state.selection, workspace.document(), workspace.trace(), state.head);
  for (const StageCell& pin : view.pins) {
    const attention::CellRef cell{stage_name(pin.stage), pin.head, pin.row, pin.col};
    if (std::ranges::count(state.inspection.pins, cell) == 0) state.inspection.pins.push_back(cell);
  }
  for (const auto& [stage, ends] : view.ranges) {
    state.inspection.ranges.own[stage] = {RangeEnds::kFixed};
    state.inspection.ranges.ends[stage] = {ends.lo, ends.hi};
  }
  state.inspection.large = view.large;
  ask_for_sensitivity(state.sensitivity, view.asked, workspace.document());
  show_model_step(state.model, view);
  state.requests.withdraw<request::BringIntoView>();
  if (!view.highlights.empty()) state.requests.ask(request::BringIntoView{view.highlights.front()});
  lesson.seen.reset();
}

void refuse_locked(Ui& ui) {
  if (!lesson_is_open(ui.state)) return;
  const std::set<lessons::Control>& locked = ui.state.lesson.view.locked;
  std::erase_if(ui.intents, [&](const Intent& intent) {
    const Command* command = command_in(intent);
    if (!command || !locked.contains(lessons::control_of(*command))) return false;
    refuse(ui, lessons::control_of(*command));
    return true;
  });
}

void end_lesson_frame(Ui& ui) {
  if (!lesson_is_open(ui.state)) return;
  if (ui.state.lesson.language != language()) return translate_lesson(ui);
  note_choice(ui);
  const bool covered = compat::popup_is_open() || ui.state.dialog.open != Dialog::kNone;
  if (ui.state.present.on || covered) return;  // only one card is shown, or none in full
  for (const std::string& name : ui.state.lesson.view.highlights) frame_widget(ui, name);
}

}  // namespace lab::view
