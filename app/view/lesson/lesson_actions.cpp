#include "app/view/lesson/lesson_actions.h"

#include <algorithm>

#include "app/base/visible_text.h"
#include "app/lessons/reading/lesson_library.h"
#include "app/translation/words.h"
#include "app/view/editor/uncommitted_edit.h"
#include "app/view/focus/focus_ring.h"
#include "app/view/lesson/lesson_answers.h"
#include "app/view/session/file_actions.h"
#include "app/view/session/recovery_actions.h"
#include "app/view/session/view_memory.h"
#include "app/view/toolkit/imgui_focus.h"

namespace lab::view {
namespace {

std::string first_problem(const lessons::OpenedLesson& opened) {
  const auto& problems = opened.reading.problems;
  const std::string first = lessons::problem_text(opened.path, problems.front());
  if (problems.size() == 1) return tr("The lesson has a mistake. {}", {first});
  return tr(
      "The lesson has {} mistakes; attention-lab lesson FILE --check lists all. The first: {}",
      {std::to_string(problems.size()), first});
}

bool opens_document(const lessons::Step& step) {
  return std::ranges::any_of(step.directives, [](const lessons::Directive& one) {
    return std::holds_alternative<lessons::directive::Open>(one.action);
  });
}

// A step that opens nothing continues with the window as it is.
void show_start(Ui& ui, const lessons::StepStart& start) {
  LessonState& lesson = ui.state.lesson;
  lesson.view = start.view;
  lesson.begins = true;
  if (ui.state.keyboard_focus.inside == Inside::kText)
    hide_keyboard_focus(ui.state.keyboard_focus);  // its field does not exist any more
  ui.state.written_box = {};
  lesson.reply_room.clear();
  lesson.leads = true;
  lesson.lead_scrolls = false;
  ui.state.requests.ask(request::ToLessonTop{});
  lesson.finished = lesson.answers_shown = false;
  ui.state.requests.withdraw<request::ShowView>();
  if (!opens_document(lesson.run->step())) {
    files::SessionView view = view_of(ui.state);
    view.model.layer.reset();  // that of the step counts
    ui.state.requests.ask(request::ShowView{std::move(view)});
  }
  ui.queue(intent::SuspendWork{start.document});
}

void report_problem(Ui& ui, const lessons::LessonProblem& problem) {
  ui.state.error = lessons::problem_text(ui.state.lesson.path, problem);
}

// Discards pending requests to the widgets of the lesson.
void withdraw_requests(ViewState& state) {
  state.requests.withdraw<request::EndLesson>();
  state.requests.withdraw<request::BringIntoView>();
  state.requests.withdraw<request::BringAnswer>();
  state.requests.withdraw<request::ToLessonTop>();
  state.requests.withdraw<request::ScrollLesson>();
}

lessons::LessonRun::Entered enter_at(lessons::LessonRun& run, std::size_t requested) {
  auto start = run.begin();
  const std::size_t step = std::min(requested, run.lesson().steps.size() - 1);
  return start && step > 0 ? run.go_to(step, start->document) : start;
}

// A lesson whose first step could be entered.
struct BegunLesson {
  LessonState state;
  lessons::StepStart start;
};

std::vector<std::vector<lessons::AnswerInput>> nothing_given(const lessons::Lesson& lesson) {
  std::vector<std::vector<lessons::AnswerInput>> given;
  for (const lessons::Step& step : lesson.steps)
    given.emplace_back(lessons::questions_of(step).size());
  return given;
}

std::vector<std::vector<lessons::AnswerInput>> given_in(const lessons::LessonProgress& progress) {
  std::vector<std::vector<lessons::AnswerInput>> given;
  for (const auto& step : progress.questions) {
    auto& answers = given.emplace_back();
    for (const lessons::QuestionProgress& question : step) answers.push_back(question.input);
  }
  return given;
}

// Shows a lesson; the current state of the window is restored at the end.
void show_lesson(Ui& ui, const BegunLesson& begun) {
  LessonState lesson = begun.state;
  lesson.outside = lesson_is_open(ui.state)
                       ? ui.state.lesson.outside
                       : OutsideLesson{view_of(ui.state), ui.state.file_change, ui.state.compare};
  lesson.language = language();
  withdraw_requests(ui.state);
  ui.state.lesson = std::move(lesson);
  ui.state.compare = {};
  ui.state.heads = {};
  ui.state.side_tab = SideTab::kLesson;
  ui.state.notice.clear();
  ui.state.requests.withdraw<request::GiveKeyboard>();
  compat::leave_text_field();  // its keys are for the lesson
  show_start(ui, begun.start);
}

// Goes to a lesson that was read without mistakes.
void begin_lesson(Ui& ui, const lessons::OpenedLesson& opened) {
  BegunLesson begun;
  begun.state.run = std::make_shared<lessons::LessonRun>(opened.reading.lesson, opened.folder);
  begun.state.path = opened.path;
  begun.state.given = nothing_given(opened.reading.lesson);
  auto start = enter_at(*begun.state.run, ui.state.lesson.begin_at);
  if (!start) {
    ui.state.error = lessons::problem_text(opened.path, start.error());
    return;
  }
  begun.start = std::move(*start);
  leave_document(ui, destination::Ready{[begun](Ui& after) { show_lesson(after, begun); }, true});
}

// True once the step has answers or hints.
bool has_work(const LessonState& lesson) {
  const auto& given = lesson.given[lesson.run->step_index()];
  for (std::size_t i = 0; i < given.size(); ++i) {
    const lessons::QuestionState& state = lesson.run->state(i);
    if (given[i] != lessons::AnswerInput() || state.tries > 0 || state.hints > 0) return true;
  }
  return false;
}

}  // namespace

bool lesson_is_open(const ViewState& state) { return state.lesson.run != nullptr; }

bool open_lesson_source(Ui& ui, const std::string& source) {
  if (!lessons::is_lesson(source)) return false;
  if (!commit_pending(ui)) return true;
  const auto opened = lessons::open_lesson(source);
  if (!opened) {
    ui.state.error = opened.error().message;
  } else if (!opened->reading.problems.empty()) {
    ui.state.error = first_problem(*opened);
  } else {
    begin_lesson(ui, *opened);
  }
  return true;
}

void resume_lesson(Ui& ui, const std::shared_ptr<LostWork>& lost) {
  lessons::LessonProgress progress = *lost->lesson;
  const auto opened = lessons::open_lesson(progress.path);
  if (!opened) {
    ui.state.error = opened.error().message;
    return;
  }
  BegunLesson begun;
  begun.state.run = std::make_shared<lessons::LessonRun>(opened->reading.lesson, opened->folder);
  begun.state.path = opened->path;
  auto start = opened->reading.problems.empty()
                   ? begun.state.run->resume(progress)
                   : tl::make_unexpected(opened->reading.problems.front());
  if (!start) {
    ui.state.error = tr("The answers do not fit the lesson any more: {}. They were moved to {}",
                        {lessons::problem_text(opened->path, start.error()),
                         printable(lost->location->move_answers_away())});
    return;
  }
  begun.start = std::move(*start);
  begun.state.given = given_in(progress);
  begun.state.unsaved = true;
  begun.state.recovered = lost;
  show_lesson(ui, begun);
  ui.state.notice = tr("The lesson goes on where it ended; what you did in it is not saved yet.");
  if (!progress.notes.empty())
    ui.state.error =
        tr("The answers are there, but not what was edited: {}", {progress.notes.front()});
}

void translate_lesson(Ui& ui) {
  LessonState& lesson = ui.state.lesson;
  lesson.language = language();
  const auto built_in = lessons::built_in_lesson_at(lesson.path);
  const auto known = lessons::built_in_lessons();
  const auto other =
      std::ranges::find(known, built_in ? built_in->name : "", &lessons::LessonInfo::name);
  if (other == known.end() || other->path == lesson.path) return;
  const auto opened = lessons::open_lesson(other->path);
  if (!opened || !opened->reading.problems.empty()) return;
  auto run = std::make_shared<lessons::LessonRun>(opened->reading.lesson, opened->folder);
  const auto start = enter_at(*run, lesson.run->step_index());
  if (!start) return;
  run->continue_from(*lesson.run, lesson.given);
  const bool finished = lesson.finished;
  lesson.run = std::move(run);
  lesson.path = opened->path;
  show_start(ui, *start);
  lesson.finished = finished;
}

void leave_lesson(Ui& ui, const Destination& next, bool sure) {
  if (!commit_pending(ui)) return;
  note_written(ui);
  if (ui.state.lesson.unsaved && !sure) {
    open_dialog(ui, Dialog::kLeaveLesson);
    ui.state.dialog.then_go = next;
    return;
  }
  if (keeps_own_work(next)) return leave_now(ui, next);
  ui.state.requests.ask(request::EndLesson{});
  if (!std::holds_alternative<destination::OwnWork>(next))
    ui.state.requests.ask(request::Leave{next});
}

void forget_lesson(ViewState& state) {
  if (state.side_tab == SideTab::kLesson) state.side_tab = SideTab::kExplain;
  withdraw_requests(state);
  state.lesson = {};
}

void end_lesson(Ui& ui) {
  const OutsideLesson outside = ui.state.lesson.outside;
  forget_lesson(ui.state);
  forget_pending(ui.state);
  ui.state.requests.ask(request::ShowView{outside.view});
  ui.state.file_change = outside.file_change;
  ui.state.compare = outside.compare;
  ui.state.compare.words = {};  // until that work is shown again, other words are
  ui.queue(intent::RestoreWork{});
}

void go_to_step(Ui& ui, std::size_t step) {
  if (!commit_pending(ui)) return;
  note_written(ui);
  const auto start = ui.state.lesson.run->go_to(step, ui.edited());
  if (!start) return report_problem(ui, start.error());
  show_start(ui, *start);
}

void next_step(Ui& ui) {
  LessonState& lesson = ui.state.lesson;
  const std::size_t next = lesson.run->step_index() + 1;
  if (next < lesson.run->lesson().steps.size()) return go_to_step(ui, next);
  note_written(ui);
  lesson.finished = true;
}

void previous_step(Ui& ui) {
  LessonState& lesson = ui.state.lesson;
  if (std::exchange(lesson.finished, false) || lesson.run->step_index() == 0) return;
  go_to_step(ui, lesson.run->step_index() - 1);
}

void restart_step(Ui& ui, bool sure) {
  if (!commit_pending(ui)) return;
  LessonState& lesson = ui.state.lesson;
  if (!sure && has_work(lesson)) return open_dialog(ui, Dialog::kRestartStep);
  for (lessons::AnswerInput& given : lesson.given[lesson.run->step_index()]) given = {};
  show_start(ui, lesson.run->reset_step());
}

}  // namespace lab::view
