#include <imgui.h>

#include <algorithm>
#include <array>

#include "app/lessons/reading/lesson_library.h"
#include "app/translation/words.h"
#include "app/view/lesson/lesson_actions.h"
#include "app/view/lesson/lesson_answers.h"
#include "app/view/lesson/lesson_panels.h"
#include "app/view/session/dialog_parts.h"
#include "app/view/toolkit/imgui_focus.h"
#include "app/view/widgets/popup.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr const char* kLessonList = "lessons";
constexpr float kLessonListWidth = 620, kLessonLine = 28, kOrdinal = 22, kProgressOf = 62;
constexpr float kLevel = 120, kMinutes = 60, kAroundList = 30;

float list_width(const Ui& ui) {
  return std::min(ui.px(kLessonListWidth), ImGui::GetIO().DisplaySize.x - ui.px(kAroundList));
}

// A tick for a lesson whose questions were all solved, else how many were.
void draw_progress(Ui& ui, const Rect& bounds, const lessons::LessonInfo& lesson) {
  const std::size_t solved = solved_of(ui.state.lessons_done, lesson);
  if (solved == 0) return;
  if (is_done(ui.state.lessons_done, lesson)) return draw_tick(ui, bounds, ui.theme.right);
  draw_text(ui, ui.fonts.small, bounds,
            tr("{} of {}", {std::to_string(solved), std::to_string(lesson.questions)}),
            ui.theme.dim, TextAlign::kCentre);
}

void list_line(Ui& ui, const lessons::LessonInfo& lesson) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  Rect bounds{at.x, at.y, list_width(ui), ui.px(kLessonLine)};
  const bool chosen = click_area(ui, "lessons/" + lesson.name, bounds);
  if (ImGui::IsItemHovered() || compat::is_marked_item())
    fill_rect(ui, bounds, ui.theme.button_hover, ui.px(5));
  tooltip(ui, lesson.goal);
  bounds = {bounds.x + ui.px(10), bounds.y, bounds.w - ui.px(20), bounds.h};
  const bool open = ui.state.lesson.path == lesson.path;
  draw_text(ui, ui.fonts.small, bounds.cut_left(ui.px(kOrdinal)), std::to_string(lesson.number),
            ui.theme.dim, TextAlign::kRight);
  draw_progress(ui, bounds.cut_left(ui.px(kProgressOf)), lesson);
  draw_text(ui, ui.fonts.small, bounds.cut_right(ui.px(kMinutes)),
            tr("{} min", {std::to_string(lesson.minutes)}), ui.theme.dim, TextAlign::kRight);
  draw_text(ui, ui.fonts.small, bounds.cut_right(ui.px(kLevel)), lesson.level, ui.theme.dim);
  draw_text(ui, open ? ui.fonts.bold : ui.fonts.text, bounds, lesson.title, ui.theme.text);
  ImGui::SetCursorScreenPos({at.x, at.y + ui.px(kLessonLine)});
  if (!chosen) return;
  ImGui::CloseCurrentPopup();
  ui.state.requests.ask(request::Leave{destination::Source{lesson.path}});
}

}  // namespace

void lesson_list(Ui& ui, const Rect& anchor) {
  open_requested_popup(ui, kLessonList);
  Rect bounds = anchor;  // all of it is on the screen
  bounds.x = std::clamp(ImGui::GetIO().DisplaySize.x - list_width(ui) - ui.px(kAroundList), 0.0f,
                        anchor.x);
  if (!begin_popup(ui, kLessonList, bounds)) return;
  if (ImGui::IsWindowAppearing()) compat::show_focused_item();  // Enter opens the first line
  for (const lessons::LessonInfo& lesson : lessons::built_in_lessons()) list_line(ui, lesson);
  ImGui::Dummy({list_width(ui), 0});
  end_popup();
}

void restart_step_dialog(Ui& ui) {
  const std::array labels{tr("Begin again"), tr("Cancel")};
  constexpr std::array kNames{"dialog/ok", "dialog/cancel"};
  dialog_paragraph(ui, tr("The boxes of this step become empty, and its hints are gone.\n"
                          "What was checked stays in the table of your answers."));
  ImGui::Spacing();
  const int chosen = answer_row(ui, labels, kNames);
  if (chosen < 0) return;
  close_dialog(ui);
  if (chosen == 0) restart_step(ui, true);
}

void leave_lesson_dialog(Ui& ui) {
  const std::array labels{tr("Save them…"), tr("Leave"), tr("Stay")};
  constexpr std::array kNames{"dialog/save", "dialog/leave", "dialog/stay"};
  dialog_paragraph(ui, tr("Your answers are not saved: leaving the lesson removes them.\n"
                          "The list of lessons keeps how many questions are solved."));
  ImGui::Spacing();
  const int chosen = answer_row(ui, labels, kNames);
  if (chosen < 0) return;
  close_dialog(ui);
  if (chosen == 0) {
    ask_answers_path(ui);
    ui.state.dialog.then_leave = true;
  }
  if (chosen == 1) leave_lesson(ui, ui.state.dialog.then_go, true);
}

namespace {

float lesson_offer_height(Ui& ui, const Rect&) {
  return ui.state.lesson.offered && !lesson_is_open(ui.state) ? ui.px(146) : 0;
}

// The built-in model that reads words.
void trained_offer(Ui& ui, const Rect& row) {
  const std::string label = tr("Look into a trained model");
  if (!button(ui, "offer/model", {row.x, row.y, button_width(ui, label), row.h}, label)) return;
  ui.state.lesson.offered = false;
  ui.state.requests.ask(request::Leave{destination::Source{"words"}});
}

// Offers the first lesson and the built-in trained model to a new user.
void lesson_offer(Ui& ui, const Rect& rect) {
  Rect content = card(ui, rect, tr("New here?"));
  const std::vector<lessons::LessonInfo> known = lessons::built_in_lessons();
  if (known.empty()) return;
  draw_text(ui, ui.fonts.text, content.cut_top(ui.px(20)),
            tr("The first lesson takes {} minutes:", {std::to_string(known.front().minutes)}),
            ui.theme.text);
  draw_text(ui, ui.fonts.bold, content.cut_top(ui.px(20)), known.front().title, ui.theme.text);
  trained_offer(ui, content.cut_bottom(ui.px(26)));
  content.cut_bottom(ui.px(8));
  Rect row = content.cut_bottom(ui.px(26));
  const std::string start = tr("Start the lesson"), no = tr("Not now");
  const Rect first = row.cut_left(button_width(ui, start));
  row.cut_left(ui.px(8));
  const bool starts = button(ui, "offer/start", first, start, ButtonLook::kActive);
  const bool ends = button(ui, "offer/no", row.cut_left(button_width(ui, no)), no);
  if (starts || ends) ui.state.lesson.offered = false;
  if (starts) ui.state.requests.ask(request::Leave{destination::Source{known.front().path}});
}

}  // namespace

extern constexpr PanelInfo kOfferPanel{.name = "offer",
                                       .region = PanelRegion::kAboveRight,
                                       .draw = lesson_offer,
                                       .preferred_height = lesson_offer_height,
                                       .of_edited = true};

}  // namespace lab::view
