#include "app/view/present/present.h"

#include <algorithm>
#include <array>

#include "app/view/editor/uncommitted_edit.h"
#include "app/view/focus/focus_ring.h"
#include "app/view/lesson/lesson_actions.h"
#include "app/view/lesson/lesson_answers.h"
#include "app/view/toolkit/imgui_focus.h"
#include "app/view/widgets/popup.h"

namespace lab::view {
namespace {

using attention::Stage;

constexpr float kEnlarged = 1.5f;
// Rooms in points for a stage beside its arithmetic: what is enough, what is little, and the least.
struct Room {
  float width, height;
};
constexpr Room kEnoughRoom{880, 560}, kLittleRoom{680, 426}, kLeastRoom{620, 380};

// The scale in which the window has that room.
float scale_for(const Room& room) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  return std::min(size.x / room.width, size.y / room.height);
}

bool is_step(const attention::Problem& problem, Stage stage) {
  switch (stage) {
    case Stage::kX:
      return true;
    case Stage::kXKv:
      return !problem.embedding_kv.empty();
    case Stage::kEmbedding:
      return is_active(problem, Stage::kX);
    case Stage::kEmbeddingKv:
      return is_active(problem, Stage::kXKv);
    default:
      return is_active(problem, stage);
  }
}

// The index of the selected stage among the presented ones; one that is not among them counts as
// the stage before it.
int index_of_stage(const std::vector<Stage>& stages, Stage selected) {
  const auto after = std::ranges::upper_bound(stages, selected);
  return std::max(0, static_cast<int>(after - stages.begin()) - 1);
}

void show_stage(Ui& ui, const std::vector<Stage>& stages, int index) {
  const auto last = static_cast<int>(stages.size()) - 1;
  ui.select_stage(stages[static_cast<std::size_t>(std::clamp(index, 0, last))]);
}

// Moves to another step of the lesson; the end comes after the last one.
void step_lesson(Ui& ui, int steps) {
  const LessonState& lesson = ui.state.lesson;
  if (steps == 1) return next_step(ui);
  if (steps == -1) return previous_step(ui);
  go_to_step(ui, steps < 0 ? 0 : lesson.run->lesson().steps.size() - 1);
}

void step_query(Ui& ui, attention::Index rows) {
  attention::Index& query = ui.state.selection.query;
  query = std::clamp<attention::Index>(query + rows, 0, ui.problem().seq_len() - 1);
}

struct StepKey {
  Key key;
  int steps;
};
// A clicker sends PageUp and PageDown.
constexpr StepKey kStepKeys[] = {{Key::kLeft, -1}, {Key::kPageUp, -1},  {Key::kRight, 1},
                                 {Key::kSpace, 1}, {Key::kPageDown, 1}, {Key::kHome, -100},
                                 {Key::kEnd, 100}};

// The text of a lesson is read to its end, answers included, before the next step begins.
void turn_page(Ui& ui, int steps) {
  const LessonState& lesson = ui.state.lesson;
  const bool scrolls =
      lesson_is_open(ui.state) && (steps > 0 ? lesson.more_below : lesson.more_above);
  if (!scrolls) return step_present(ui, steps);
  ui.state.requests.ask(request::ScrollLesson{.pages = static_cast<float>(steps)});
}

// Handles the clicker's keys, which a text field does not use.
void handle_clicker(Ui& ui) {
  if (compat::key_pressed(Key::kPageUp)) turn_page(ui, -1);
  if (compat::key_pressed(Key::kPageDown)) turn_page(ui, 1);
}

// In a lesson whose text is longer than the window, the text moves.
void move_down(Ui& ui, int rows) {
  constexpr float kLines = 2;
  const LessonState& lesson = ui.state.lesson;
  if (lesson_is_open(ui.state) && (lesson.more_above || lesson.more_below))
    ui.state.requests.ask(request::ScrollLesson{.lines = kLines * static_cast<float>(rows)});
  else
    step_query(ui, rows);
}

void handle_lesson_keys(Ui& ui) {
  if (compat::key_pressed(Key::kA, false)) toggle_answers(ui);
}

void handle_present_keys(Ui& ui) {
  for (const auto& [key, steps] : kStepKeys) {
    const bool is_page = key == Key::kPageUp || key == Key::kPageDown;
    if (!is_page && compat::key_pressed(key)) step_present(ui, steps);
  }
  handle_clicker(ui);
  if (compat::key_pressed(Key::kUp)) move_down(ui, -1);
  if (compat::key_pressed(Key::kDown)) move_down(ui, 1);
  if (compat::key_pressed(Key::kC, false)) toggle_contrast(ui);
  if (lesson_is_open(ui.state)) {
    handle_lesson_keys(ui);
  } else if (compat::key_pressed(Key::kP, false)) {
    toggle_playing(ui);
  }
  if (compat::key_pressed(Key::kEscape, false)) toggle_present(ui);
}

void play_on(Ui& ui) {
  PresentState& present = ui.state.present;
  if (!present.playing || ImGui::GetTime() < present.stage_ends) return;
  const auto stages = present_stages(ui.problem());
  const int index = index_of_stage(stages, ui.state.selection.stage) + 1;
  show_stage(ui, stages, index);
  present.stage_ends = ImGui::GetTime() + kSecondsPerStage;
  if (index + 1 >= std::ssize(stages)) present.playing = false;
}

// What was typed in stays as it is.
void give_keys_to_present(Ui& ui) {
  compat::leave_text_field();
  hide_keyboard_focus(ui.state.keyboard_focus);
  ui.state.lesson.leads = false;
  ui.state.lesson.lead_to.clear();
}

}  // namespace

std::vector<Stage> present_stages(const attention::Problem& problem) {
  std::vector<Stage> stages;
  for (const Stage stage : attention::kAllStages) {
    if (is_step(problem, stage)) stages.push_back(stage);
  }
  return stages;
}

// Larger than outside, but for large letters in a small window, where the stage needs the room.
float present_scale(float outside) {
  const float enlarged = std::min(outside * kEnlarged, std::max(scale_for(kLittleRoom), outside));
  const float scale = std::max(scale_for(kEnoughRoom), enlarged);
  return std::min({scale, scale_for(kLeastRoom), kLargestScale});
}

void toggle_present(Ui& ui) {
  PresentState& present = ui.state.present;
  if (present.on) return leave_present(ui.state);
  if (!commit_pending(ui)) return;
  float& scale = ui.state.scale;
  present.scale_outside = scale;
  scale = present_scale(scale);
  if (present.theme_outside) toggle_contrast(ui);
  present.on = true;
  present.playing = ui.state.lesson.answers_shown = false;
  ui.state.edit.focused = ui.state.overriding.focused = false;
  give_keys_to_present(ui);
}

void toggle_contrast(Ui& ui) {
  auto& outside = ui.state.present.theme_outside;
  const figure::ThemeId now = ui.state.theme;
  ui.state.theme = outside.value_or(figure::ThemeId::kHighContrast);
  outside = outside ? std::optional<figure::ThemeId>() : now;
}

void step_present(Ui& ui, int steps) {
  if (lesson_is_open(ui.state)) return step_lesson(ui, steps);
  const auto stages = present_stages(ui.problem());
  ui.state.present.playing = false;
  show_stage(ui, stages, index_of_stage(stages, ui.state.selection.stage) + steps);
}

void toggle_playing(Ui& ui) {
  PresentState& present = ui.state.present;
  const auto stages = present_stages(ui.problem());
  present.playing = !present.playing;
  present.stage_ends = ImGui::GetTime() + kSecondsPerStage;
  const bool at_end = ui.state.selection.stage >= stages.back();
  if (present.playing && at_end) show_stage(ui, stages, 0);
}

void run_present(Ui& ui) {
  const bool free = !popup_has_keys(ui) && ui.state.dialog.open == Dialog::kNone &&
                    !ui.state.overriding.typing && !ui.state.keyboard_focus.has_keys;
  const bool types = compat::text_field_has_keys();
  if (free && types) handle_clicker(ui);
  if (free && !types && !ImGui::GetIO().KeyCtrl) handle_present_keys(ui);
  play_on(ui);
}

bool belongs_to_present(const ViewState& state, Key key) {
  // M and S would mute, L would change the hidden window: stray keys must not do that.
  constexpr std::array kOthers{Key::kUp, Key::kDown, Key::kP, Key::kEscape, Key::kEnter,
                               Key::kM,  Key::kS,    Key::kL, Key::kA,      Key::kC};
  const bool steps = std::ranges::find(kStepKeys, key, &StepKey::key) != std::end(kStepKeys);
  return state.present.on && (steps || std::ranges::find(kOthers, key) != kOthers.end());
}

std::optional<double> seconds_to_next_stage(const ViewState& state) {
  if (!state.present.on || !state.present.playing) return std::nullopt;
  return std::max(0.0, state.present.stage_ends - ImGui::GetTime());
}

}  // namespace lab::view
