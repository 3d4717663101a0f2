#include "app/view/lesson/lesson_answers.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "app/base/strings.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/lessons/reading/lesson_library.h"
#include "app/translation/words.h"
#include "app/view/lesson/lesson_actions.h"
#include "app/view/session/file_actions.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/toolkit/imgui_focus.h"
#include "app/view/widgets/popup.h"

namespace lab::view {
namespace {

constexpr const char* kByteOrderMark = "\xEF\xBB\xBF";

// Without what a file name cannot contain.
std::string as_part_of_a_name(std::string_view text) {
  std::string name;
  for (const char c : trimmed(text)) {
    const bool fits = static_cast<unsigned char>(c) > ' ' && c != '/';
    if (fits || (!name.empty() && name.back() != '-')) name += fits ? c : '-';
  }
  return name;
}

// Where the last answers went; a window that was opened from a menu may have been started in a
// folder in which nothing can be saved.
std::string first_folder(const Ui& ui) {
  if (!ui.state.dialog.answers_folder.empty()) return ui.state.dialog.answers_folder;
  std::error_code none;
  const bool usable =
      std::filesystem::current_path(none).has_relative_path() && ::access(".", W_OK) == 0;
  return usable ? std::string() : files::full_path("~/");
}

}  // namespace

Snapshot live_numbers(const Ui& ui) {
  return {ui.workspace.document(), ui.workspace.trace(), ui.workspace.network_trace()};
}

lessons::AnswerInput& given_of(ViewState& state, std::size_t question) {
  return state.lesson.given[state.lesson.run->step_index()][question];
}

std::optional<attention::Stage> stage_to_click(const Ui& ui) {
  const lessons::LessonRun& run = *ui.state.lesson.run;
  std::optional<attention::Stage> stage;
  for (std::size_t i = 0; i < run.questions().size(); ++i) {
    const bool clicks = run.questions()[i]->type == lessons::QuestionType::kCell;
    const auto right = clicks ? lessons::right_answer(*run.questions()[i], live_numbers(ui))
                              : lessons::AnswerInput();
    if (right && right->clicked) stage = right->clicked->stage;
    if (!run.state(i).solved) return clicks ? stage : std::nullopt;
  }
  return stage;
}

void check_answer(Ui& ui, std::size_t question) {
  const auto judged = ui.state.lesson.run->answer(
      question, given_of(ui.state, question), live_numbers(ui), std::chrono::system_clock::now());
  if (judged && judged->verdict != lessons::Verdict::kUnclear) ui.state.lesson.unsaved = true;
  if (const auto lesson = lessons::built_in_lesson_at(ui.state.lesson.path))
    note_progress(ui.state.lessons_done, *lesson, ui.state.lesson.run->solved_count());
  ui.state.requests.ask(request::BringAnswer{question});
}

void note_written(Ui& ui) {
  const lessons::LessonRun& run = *ui.state.lesson.run;
  for (std::size_t i = 0; i < run.questions().size(); ++i)
    if (run.questions()[i]->type == lessons::QuestionType::kText && !run.state(i).solved &&
        !given_of(ui.state, i).typed.empty())
      check_answer(ui, i);
}

void toggle_answers(Ui& ui) {
  LessonState& lesson = ui.state.lesson;
  lesson.answers_shown = !lesson.answers_shown;
  if (lesson.answers_shown) ui.state.requests.ask(request::BringAnswer{0});
}

void ask_hint(Ui& ui, std::size_t question) {
  LessonState& lesson = ui.state.lesson;
  const lessons::QuestionState& state = lesson.run->state(question);
  const bool gave = lesson.run->give_hint(question, live_numbers(ui));
  if (gave && state.tries > 0 && !state.solved) lesson.unsaved = true;  // the table counts it
  ui.state.requests.ask(request::BringAnswer{question});
}

std::string proposed_answers(const Ui& ui) {
  const std::filesystem::path lesson = ui.state.lesson.path;
  const std::string whose = as_part_of_a_name(ui.state.dialog.student);
  const std::string name = tr("{}-answers", {lesson.stem().string()});
  return name + (whose.empty() ? "" : "-" + whose) + ".csv";
}

// In the window's own dialog, because the desktop's has no field for the student's name.
void ask_answers_path(Ui& ui) {
  note_written(ui);
  open_dialog(ui, Dialog::kSaveAnswers,
              (std::filesystem::path(first_folder(ui)) / proposed_answers(ui)).string());
}

void save_answers(Ui& ui, const std::string& path) {
  const DialogState& dialog = ui.state.dialog;
  const auto next = dialog.then_leave ? std::optional(dialog.then_go) : std::nullopt;
  const auto saved = [path, next](Ui& after) {
    after.state.notice = tr("Saved the answers to {}", {path});
    after.state.lesson.unsaved = false;
    if (next && lesson_is_open(after.state)) leave_lesson(after, *next);
  };
  // Spreadsheets know by the mark that the words are UTF-8.
  const std::string table = kByteOrderMark + ui.state.lesson.run->results_csv(dialog.student);
  const auto work = [path, saved, table](attention::WorkWatch&) -> Job::Finish {
    const auto written = files::write_bytes(path, table);
    if (!written) return report_failure(written.error());
    return saved;
  };
  ui.jobs.start(ui, {tr("saving {}", {files::file_name_of(path)}), work, false});
}

// A click on the cell that is already selected also chooses it.
void note_choice(Ui& ui) {
  LessonState& lesson = ui.state.lesson;
  if (lesson.begins) return;
  const StageCell now = selected_stage_cell(ui.state.selection, ui.state.head);
  const bool clicked = ui.state.hovered && ImGui::IsMouseReleased(0) && lesson.seen == now;
  const bool moved = lesson.seen && *lesson.seen != now;
  lesson.seen = now;
  if (!clicked && !moved) return;
  const auto& questions = lesson.run->questions();
  for (std::size_t i = 0; i < questions.size(); ++i)
    if (questions[i]->type == lessons::QuestionType::kCell && !lesson.run->state(i).solved) {
      given_of(ui.state, i).clicked = now;
      lesson.run->withdraw(i);
    }
}

void answer_by_enter(Ui& ui) {
  ViewState& state = ui.state;
  if (!lesson_is_open(state) || state.lesson.finished || !compat::enter_pressed()) return;
  const bool others = state.dialog.open != Dialog::kNone || popup_has_keys(ui) ||
                      state.overriding.typing || state.edit.focused ||
                      state.keyboard_focus.has_keys || compat::text_field_has_keys();
  if (others) return;
  const auto& questions = state.lesson.run->questions();
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const bool waits = questions[i]->type == lessons::QuestionType::kCell &&
                       !state.lesson.run->state(i).solved && given_of(state, i).clicked;
    if (!waits) continue;
    state.keyboard_focus.has_keys = true;  // nobody else takes the key
    state.overriding.focused = false;
    return check_answer(ui, i);
  }
}

// An edit counts as an answer once it is committed: a cancelled drag does not. The steps of a
// training count at once.
void answer_by_edits(Ui& ui) {
  const lessons::LessonRun& run = *ui.state.lesson.run;
  const bool uncommitted = ui.workspace.history().previewing() && !ui.state.training.followed;
  if (ui.workspace.behind() || uncommitted || ui.state.lesson.begins) return;
  for (std::size_t i = 0; i < run.questions().size(); ++i) {
    const lessons::Question& question = *run.questions()[i];
    if (question.type != lessons::QuestionType::kMake || run.state(i).solved) continue;
    const auto judged = lessons::judge(question, {}, live_numbers(ui));
    if (judged && judged->verdict == lessons::Verdict::kRight) check_answer(ui, i);
  }
}

}  // namespace lab::view
