#include <imgui.h>

#include <algorithm>

#include "app/base/visible_text.h"
#include "app/lessons/reading/lesson_library.h"
#include "app/translation/words.h"
#include "app/view/lesson/lesson_actions.h"
#include "app/view/lesson/lesson_answers.h"
#include "app/view/lesson/lesson_parts.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/popup.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr float kLessonButtons = 49;  // width of the buttons for the menu and for leaving
constexpr float kProgress = 5, kBelowProgress = 10, kWay = 30, kBelowWay = 10, kScrollBar = 12;
constexpr float kCardAround = 44, kSides = 24;  // of a card: heading and edges
constexpr float kMostOfColumn = 0.7f, kLeast = 230;
constexpr float kLeftToOthers = 150;  // of a low column, whose other panels scroll

std::size_t step_count(const lessons::LessonRun& run) { return run.lesson().steps.size(); }

void lesson_menu(Ui& ui, const Rect& bounds) {
  const std::string id = "menu/lesson";
  if (more_button(ui, id, bounds)) open_popup(id);
  if (!begin_popup(ui, id, bounds)) return;
  const bool in_step = !ui.state.lesson.finished;
  if (in_step && menu_item(ui, id + "/restart", tr("Begin this step again"))) restart_step(ui);
  if (menu_item(ui, id + "/save", tr("Save my answers…"))) ask_answers_path(ui);
  if (menu_item(ui, id + "/others", tr("Other lessons…")))
    ui.state.requests.ask(request::OpenPopup{"lessons"});
  ImGui::Separator();
  if (menu_item(ui, id + "/leave", tr("Leave the lesson"))) leave_lesson(ui);
  end_popup();
}

void lesson_buttons(Ui& ui, const Rect& rect) {
  Rect row{rect.x, rect.y + ui.px(7), rect.w - ui.px(6), ui.px(22)};
  const Rect leave = row.cut_right(ui.px(24));
  if (click_area(ui, "lesson/leave", leave)) leave_lesson(ui);
  const figure::Rgb colour = ImGui::IsItemHovered() ? ui.theme.accent : ui.theme.dim;
  draw_text(ui, ui.fonts.title, leave, "×", colour, TextAlign::kCentre);
  tooltip(ui, tr("Leave the lesson, back to your own work"));
  lesson_menu(ui, row.cut_right(ui.px(22)));
}

float write(Ui& ui, const Rect& area, bool draws) {
  const Snapshot live = live_numbers(ui);
  RichFlow flow(ui, area, live, draws);
  lesson_step(ui, flow);
  return flow.y();
}

// Keys scroll the text while the lesson is presented; a page leaves a line in view.
void scroll_by_request(Ui& ui, float height) {
  LessonState& lesson = ui.state.lesson;
  const float line = 1.5f * ImGui::GetFontSize();
  constexpr int kUntilFieldHasKeys = 6;  // frames; Dear ImGui would bring the field into view
  if (ui.state.requests.take<request::ToLessonTop>()) lesson.begun = kUntilFieldHasKeys;
  if (ImGui::GetIO().MouseWheel != 0) lesson.begun = 0;
  if (lesson.begun > 0) ImGui::SetScrollY(0);
  lesson.begun = std::max(0, lesson.begun - 1);
  if (const auto by = ui.state.requests.take<request::ScrollLesson>())
    ImGui::SetScrollY(std::clamp(
        ImGui::GetScrollY() + by->pages * std::max(line, height - line) + by->lines * line, 0.0f,
        ImGui::GetScrollMaxY()));
  lesson.more_above = ImGui::GetScrollY() > 1;
  lesson.more_below = ImGui::GetScrollY() < ImGui::GetScrollMaxY() - 1;
}

// The text scrolls when it is longer than the card.
void scrolled_text(Ui& ui, Rect content) {
  const LessonState& lesson = ui.state.lesson;
  const std::string name =
      "lesson/" + (lesson.finished ? "end" : std::to_string(lesson.run->step_index()));
  ImGui::SetCursorScreenPos(content.min());
  compat::begin_child(name.c_str(), {content.w, content.h}, false);
  scroll_by_request(ui, content.h);
  content.w -= ui.px(kScrollBar);  // always, so that lines do not change with the scroll bar
  content.y -= ImGui::GetScrollY();
  const float end = write(ui, content, true);
  ImGui::SetCursorScreenPos({content.x, end - 1});
  ImGui::Dummy({1, 1});
  ImGui::EndChild();
}

// The lesson after this one in teaching order; nothing after the last, or after one that is not
// built in.
std::optional<lessons::LessonInfo> lesson_after(const std::string& path) {
  const std::vector<lessons::LessonInfo> known = lessons::built_in_lessons();
  auto at = std::ranges::find(known, path, &lessons::LessonInfo::path);
  if (at == known.end() || ++at == known.end()) return std::nullopt;
  return *at;
}

// "step 2, question 1; step 4, question 3"
std::string open_questions(const lessons::LessonRun& run) {
  std::string open;
  for (const auto& [step, question] : run.open_questions())
    open += (open.empty() ? "" : "; ") +
            tr("step {}, question {}", {std::to_string(step + 1), std::to_string(question + 1)});
  return open;
}

// Back and Next.
void lesson_way(Ui& ui, Rect row) {
  const LessonState& lesson = ui.state.lesson;
  const bool last = lesson.run->step_index() + 1 == step_count(*lesson.run);
  const bool first = lesson.run->step_index() == 0;
  if (row_button(ui, row, "lesson/back", tr("Back"), ButtonLook::kQuiet, !first || lesson.finished))
    previous_step(ui);
  if (lesson.finished) {
    const bool goes_on = lesson_after(lesson.path).has_value();
    if (row_button(ui, row, "lesson/end", tr("Leave the lesson"),
                   goes_on ? ButtonLook::kQuiet : ButtonLook::kActive))
      leave_lesson(ui);
    return;
  }
  if (row_button(ui, row, "lesson/next", last ? tr("Finish") : tr("Next"), ButtonLook::kActive))
    next_step(ui);
  if (lesson.run->question_count() == 0) return;
  const std::string count = tr("{} of {} solved", {std::to_string(lesson.run->solved_count()),
                                                   std::to_string(lesson.run->question_count())});
  draw_text(ui, ui.fonts.small, row, count, ui.theme.dim, TextAlign::kRight);
}

}  // namespace

void lesson_progress(Ui& ui, Rect row) {
  const LessonState& lesson = ui.state.lesson;
  const std::size_t count = step_count(*lesson.run), here = lesson.run->step_index();
  const float gap = ui.px(3);
  const float width = (row.w - gap * static_cast<float>(count - 1)) / static_cast<float>(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Rect segment = row.cut_left(width);
    row.cut_left(gap);
    const float line = ui.px(kProgress), middle = segment.y + (segment.h - line) / 2;
    const Rect area{segment.x, middle - ui.px(4), segment.w, line + ui.px(8)};
    const bool clicked = pointer_area(ui, "lesson/step/" + std::to_string(i + 1), area);
    const bool hovered = ImGui::IsItemHovered();
    tooltip(ui, lesson.run->lesson().steps[i].title);
    const figure::Rgb colour = hovered || (i == here && !lesson.finished) ? ui.theme.accent
                               : i < here || lesson.finished              ? ui.theme.dim
                                                                          : ui.theme.line;
    fill_rect(ui, {segment.x, middle, segment.w, line}, colour, ui.px(2));
    if (clicked) return go_to_step(ui, i);
  }
}

void lesson_step(Ui& ui, RichFlow& flow) {
  if (ui.state.lesson.finished) return lesson_end(ui, flow);
  const lessons::Step& step = ui.state.lesson.run->step();
  flow.words(step.title, ui.fonts.title, ui.theme.text);
  flow.skip(ui.px(8));
  std::size_t question = 0;
  for (const auto& item : step.items) {
    const auto* passage = std::get_if<lessons::Passage>(&item);
    if (!passage) {
      lesson_question(ui, flow, question++);
    } else if (passage->medium != lessons::Medium::kPaper) {
      flow.text(passage->text, ui.theme.text);
      flow.skip(ui.px(4));
    }
  }
  if (flow.draws()) ui.state.lesson.leads = false;  // otherwise no question is left
}

void lesson_end(Ui& ui, RichFlow& flow) {
  const lessons::LessonRun& run = *ui.state.lesson.run;
  flow.words(tr("That was the lesson"), ui.fonts.title, ui.theme.text);
  flow.skip(ui.px(8));
  flow.words(tr("{} of {} questions are solved.",
                {std::to_string(run.solved_count()), std::to_string(run.question_count())}),
             ui.fonts.text, ui.theme.text);
  if (const std::string open = open_questions(run); !open.empty())
    flow.words(tr("Still open: {}.", {open}), ui.fonts.text, ui.theme.text);
  flow.skip(ui.px(6));
  flow.words(tr("The goal was: {}.", {run.lesson().goal}), ui.fonts.text, ui.theme.text);
  flow.skip(ui.px(10));
  if (run.has_answers()) {
    const float top = flow.y();
    flow.words(ui.state.lesson.unsaved ? tr("Your answers are not saved yet.")
                                       : tr("Your answers are saved."),
               ui.fonts.text, ui.theme.text);
    const Rect below = flow.take(0);
    if (flow.draws()) ui.name("lesson/kept", {below.x, top, below.w, flow.y() - top});
  }
  const Rect save = flow.take(ui.px(kWay));
  flow.skip(ui.px(8));
  const auto after = lesson_after(ui.state.lesson.path);
  if (after) flow.words(tr("The next lesson:"), ui.fonts.text, ui.theme.text);
  const Rect next = flow.take(after ? ui.px(kWay) : 0);
  flow.skip(ui.px(8));
  if (!flow.draws()) return;
  Rect row = save;
  if (row_button(ui, row, "lesson/save", tr("Save my answers…"))) ask_answers_path(ui);
  row = next;
  if (after && row_button(ui, row, "lesson/after", after->title, ButtonLook::kActive))
    ui.state.requests.ask(request::Leave{destination::Source{after->path}});
}

void lesson_text(Ui& ui, const Rect& rect) {
  card_surface(ui, rect);
  ui.name("card/lesson", rect);
  scrolled_text(ui, rect.inset(ui.px(kSides / 2)));
}

namespace {

// It may take the whole column when a step hides everything else in it.
float lesson_card_height(Ui& ui, const Rect& column) {
  if (!lesson_is_open(ui.state)) return 0;
  const bool alone = is_region_empty(ui, PanelRegion::kRight, column);
  const float width = column.w, room = column.h;
  const float around = ui.px(kCardAround + kProgress + kBelowProgress + kWay + kBelowWay);
  const float text = write(ui, {0, 0, width - ui.px(kSides + kScrollBar), 0}, false);
  const float least = ui.px(kLeast);
  const float beside_others = std::max(room * kMostOfColumn, room - ui.px(kLeftToOthers));
  const float most = std::max(least, alone ? room : beside_others);
  return std::floor(std::clamp(around + text, least, most));
}

void lesson_card(Ui& ui, const Rect& rect) {
  const LessonState& lesson = ui.state.lesson;
  const std::string progress = tr("{} of {}", {std::to_string(lesson.run->step_index() + 1),
                                               std::to_string(step_count(*lesson.run))});
  const std::string title = printable(lesson.run->lesson().title);
  Rect content = card(ui, rect, title, {}, progress, false, ui.px(kLessonButtons));
  ui.name("card/lesson", rect);
  lesson_buttons(ui, rect);
  lesson_progress(ui, content.cut_top(ui.px(kProgress)));
  content.cut_top(ui.px(kBelowProgress));
  // Above the text, so that they stay where they are when the card's height changes; Tab reaches
  // them after the questions.
  const Rect way = content.cut_top(ui.px(kWay));
  content.cut_top(ui.px(kBelowWay));
  scrolled_text(ui, content);
  lesson_way(ui, way);
}

}  // namespace

extern constexpr PanelInfo kLessonPanel{.name = "lesson",
                                        .region = PanelRegion::kLesson,
                                        .draw = lesson_card,
                                        .preferred_height = lesson_card_height,
                                        .of_edited = true,
                                        .widgets = "card/lesson lesson/"};

}  // namespace lab::view
