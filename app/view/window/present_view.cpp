#include "app/base/visible_text.h"
#include "app/explain/stage_text.h"
#include "app/translation/words.h"
#include "app/view/cards/stage_card.h"
#include "app/view/focus/focus_ring.h"
#include "app/view/lesson/lesson_actions.h"
#include "app/view/lesson/lesson_answers.h"
#include "app/view/lesson/lesson_parts.h"
#include "app/view/present/present.h"
#include "app/view/sentence/sentence_parts.h"
#include "app/view/session/file_actions.h"
#include "app/view/state/layout.h"
#include "app/view/widgets/widgets.h"
#include "app/view/window/window_panels.h"

namespace lab::view {
namespace {

using attention::Stage;

constexpr float kPresentMargin = 14, kPresentGap = 12;
constexpr float kHeaderHeight = 30, kChipsHeight = 26, kBarHeight = 58;
constexpr float kPresentButtonHeight = 30;
constexpr float kNarrowPresent = 700;     // where Explain needs a larger part
constexpr float kNarrowestPresent = 600;  // below it Explain has no room beside the map

// What is shown, and its position in the sequence.
void header(Ui& ui, Rect rect, const std::string& title, std::size_t index, std::size_t count) {
  const std::string where =
      tr("{} of {}   ·   {} / {}",
         {head_title(ui.document(), ui.state.head), std::to_string(ui.problem().config.n_heads),
          std::to_string(index + 1), std::to_string(count)});
  const std::string leave = tr("Leave  Esc");
  if (button(ui, "present/leave", rect.cut_right(button_width(ui, leave)), leave))
    toggle_present(ui);
  rect.cut_right(ui.px(12));
  draw_text(ui, ui.fonts.mono_small, rect, where, ui.theme.dim, TextAlign::kRight);
  draw_text(ui, ui.fonts.title, rect, printable(title), ui.theme.text);
}

// One segment per stage: click one, or drag over them, to go there.
void scrubber(Ui& ui, Rect rect, const std::vector<Stage>& stages) {
  const float gap = ui.px(4);
  const auto count = static_cast<float>(stages.size());
  const float width = (rect.w - gap * (count - 1)) / count;
  for (const Stage stage : stages) {
    const Rect segment = rect.cut_left(width);
    rect.cut_left(gap);
    const std::string id = "present/" + std::string(stage_name(stage));
    const bool clicked = click_area(ui, id, segment);
    const bool over = segment.contains(ImGui::GetIO().MousePos);
    if (clicked || (over && ImGui::IsMouseDragging(0))) {
      ui.select_stage(stage);
      ui.state.present.playing = false;
    }
    const Stage shown = ui.state.selection.stage;
    const figure::Rgb colour = stage == shown  ? ui.theme.accent
                               : stage < shown ? ui.theme.dim
                                               : ui.theme.line;
    const Rect line{segment.x, segment.y + segment.h / 2 - ui.px(3), segment.w, ui.px(6)};
    fill_rect(ui, line, over ? ui.theme.accent : colour, ui.px(3));
    tooltip(ui, tr(explain::stage_title(stage)));
  }
}

bool bar_button(Ui& ui, Rect& rect, const char* id, std::string_view label, ButtonLook look) {
  const Rect bounds = rect.cut_left(button_width(ui, label));
  rect.cut_left(ui.px(8));
  return button(ui, id, bounds, label, look);
}

// The surface of the bar; returns the row of its buttons.
Rect bar_row(Ui& ui, const Rect& rect) {
  fill_rect(ui, rect, ui.theme.card);
  fill_rect(ui, {rect.x, rect.y, rect.w, 1}, ui.theme.line);
  const float y = rect.y + std::floor((rect.h - ui.px(kPresentButtonHeight)) / 2);
  return {rect.x + ui.px(kPresentMargin), y, rect.w - 2 * ui.px(kPresentMargin),
          ui.px(kPresentButtonHeight)};
}

void contrast_button(Ui& ui, Rect& row) {
  const std::string label = tr("Contrast  C");
  const Rect bounds = row.cut_right(button_width(ui, label));
  row.cut_right(ui.px(12));
  const ButtonLook look = ui.state.present.theme_outside ? ButtonLook::kActive : ButtonLook::kQuiet;
  if (button(ui, "present/contrast", bounds, label, look)) toggle_contrast(ui);
}

void bar(Ui& ui, const Rect& whole, const std::vector<Stage>& stages) {
  Rect rect = bar_row(ui, whole);
  contrast_button(ui, rect);
  const bool playing = ui.state.present.playing;
  if (bar_button(ui, rect, "present/back", tr("Back"), ButtonLook::kQuiet)) step_present(ui, -1);
  if (bar_button(ui, rect, "present/play", playing ? tr("Pause  P") : tr("Play  P"),
                 ButtonLook::kQuiet)) {
    toggle_playing(ui);
  }
  if (bar_button(ui, rect, "present/next", tr("Next"), ButtonLook::kActive)) step_present(ui, 1);
  rect.cut_left(ui.px(8));
  scrubber(ui, rect, stages);
}

void lesson_bar(Ui& ui, const Rect& whole) {
  LessonState& lesson = ui.state.lesson;
  Rect rect = bar_row(ui, whole);
  contrast_button(ui, rect);
  if (bar_button(ui, rect, "present/back", tr("Back"), ButtonLook::kQuiet)) step_present(ui, -1);
  const ButtonLook look = lesson.answers_shown ? ButtonLook::kActive : ButtonLook::kQuiet;
  const bool asks = !lesson.run->questions().empty() && !lesson.finished;
  if (asks && bar_button(ui, rect, "present/answers", tr("Answer  A"), look)) toggle_answers(ui);
  if (bar_button(ui, rect, "present/next", tr("Next"), ButtonLook::kActive)) step_present(ui, 1);
  rect.cut_left(ui.px(8));
  lesson_progress(ui, rect.inset(ui.px(11)));
}

// The stage whose map the class needs: the one to click in if the question asks for that, otherwise
// the one that the step highlights, otherwise the selected one.
Stage stage_of_step(const Ui& ui) {
  const LessonState& lesson = ui.state.lesson;
  if (ui.state.inspection.large) return *ui.state.inspection.large;
  if (const auto asked = stage_to_click(ui)) return *asked;
  for (const Stage stage : shown_stages(ui.problem()))
    if (std::ranges::count(lesson.view.highlights, "card/" + std::string(stage_name(stage))) > 0)
      return stage;
  return ui.state.selection.stage;
}

// Of a step about a trained model that is not about a map: all heads, and what comes next unless
// the step hides it.
void present_model(Ui& ui, Rect rect) {
  const auto& hidden = ui.state.lesson.view.hidden;
  if (!hidden.contains("next_token")) {
    draw_panel(ui, "next_token", rect.cut_bottom(std::floor(rect.h * 0.45f)));
    rect.cut_bottom(ui.px(kPresentGap));
  }
  draw_panel(ui, "layers", rect);
}

bool is_about_model(const Ui& ui) {
  const auto& highlights = ui.state.lesson.view.highlights;
  return ui.document().layer.model && !ui.state.inspection.large &&
         std::ranges::none_of(highlights,
                              [](const std::string& name) { return name.starts_with("card/"); });
}

// The step of the lesson beside the stage that it is about, or below it when there is no room.
void present_lesson(Ui& ui, Rect rect) {
  const lessons::LessonRun& run = *ui.state.lesson.run;
  begin_panel(ui, "status");
  const Rect below = rect.cut_bottom(ui.px(kBarHeight));
  lesson_bar(ui, below);
  message_above(ui, below);
  rect = rect.inset(ui.px(kPresentMargin));
  begin_panel(ui, "top_bar");
  header(ui, rect.cut_top(ui.px(kHeaderHeight)), run.lesson().title, run.step_index(),
         run.lesson().steps.size());
  rect.cut_top(ui.px(kPresentGap));
  begin_panel(ui, "lesson");
  if (rect.w > ui.px(kNarrowestPresent)) {
    lesson_text(ui, rect.cut_left(std::floor(rect.w * 0.46f)));
    rect.cut_left(ui.px(kPresentGap));
  } else {
    lesson_text(ui, rect.cut_top(std::floor(rect.h * 0.5f)));
    rect.cut_top(ui.px(kPresentGap));
  }
  if (is_about_model(ui)) return present_model(ui, rect);
  begin_panel(ui, "stages");
  stage_card(ui, rect, stage_of_step(ui));
}

}  // namespace

void present_view(Ui& ui, Rect rect) {
  run_present(ui);
  if (lesson_is_open(ui.state)) return present_lesson(ui, rect);
  begin_panel(ui, "status");
  const auto stages = present_stages(ui.problem());
  const Stage stage = ui.state.selection.stage;
  const auto index = std::ranges::count_if(stages, [stage](Stage one) { return one < stage; });
  const Rect below = rect.cut_bottom(ui.px(kBarHeight));
  bar(ui, below, stages);
  message_above(ui, below);
  rect = rect.inset(ui.px(kPresentMargin));
  begin_panel(ui, "top_bar");
  header(ui, rect.cut_top(ui.px(kHeaderHeight)), heading_of(ui.workspace),
         static_cast<std::size_t>(index), stages.size());
  rect.cut_top(ui.px(kPresentGap));
  begin_panel(ui, "sentence");
  token_chips(ui, rect.cut_top(ui.px(kChipsHeight)));
  rect.cut_top(ui.px(kPresentGap));
  if (rect.w > ui.px(kNarrowestPresent)) {
    const bool narrow = rect.w < ui.px(kNarrowPresent);
    draw_panel(ui, "explain", rect.cut_right(std::floor(rect.w * (narrow ? 0.44f : 0.36f))));
    rect.cut_right(ui.px(kPresentGap));
  }
  begin_panel(ui, "stages");
  stage_card(ui, rect, stage);
}

}  // namespace lab::view
