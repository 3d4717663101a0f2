#include "app/view/lesson_actions.h"

#include <algorithm>
#include <filesystem>

#include "app/document/named.h"
#include "app/files/bytes.h"
#include "app/files/paths.h"
#include "app/lessons/lesson_shelf.h"
#include "app/view/ask_file.h"
#include "app/view/file_actions.h"
#include "app/view/navigation.h"
#include "app/view/pending.h"
#include "app/view/view_memory.h"
#include "app/view/widgets.h"

namespace lab {
namespace {

using Clock = std::chrono::system_clock;

constexpr float kFrame = 3, kFrameGap = 3;

std::string first_problem(const OpenedLesson& opened) {
  const auto& problems = opened.reading.problems;
  std::string text = "The lesson has a mistake. " + problem_text(opened.path, problems.front());
  if (problems.size() > 1) text += " (and " + std::to_string(problems.size() - 1) + " more)";
  return text;
}

bool opens_document(const Step& step) {
  return std::ranges::any_of(step.directives, [](const Directive& one) {
    return std::holds_alternative<directive::Open>(one.what);
  });
}

// A step that opens nothing goes on with the window as it stands.
void show_start(Ui& ui, const StepStart& start) {
  LessonState& lesson = ui.state.lesson;
  lesson.view = start.view;
  lesson.begins = true;
  lesson.finished = lesson.answers_shown = false;
  ui.state.view_to_show.reset();
  if (!opens_document(lesson.run->step())) ui.state.view_to_show = view_of(ui.state);
  ui.queue(intent::SetAside{start.document});
}

void complain(Ui& ui, const LessonProblem& problem) {
  ui.state.error = problem_text(ui.state.lesson.path, problem);
}

// Each step goes on from the one before it.
LessonRun::Entered enter_at(LessonRun& run, std::size_t place) {
  auto start = run.begin();
  while (start && run.place() < place && run.place() + 1 < run.lesson().steps.size())
    start = run.go_to(run.place() + 1, start->document);
  return start;
}

// Where nothing stands in its way: the window as it is now comes back in the end.
void begin_lesson(Ui& ui, const OpenedLesson& opened) {
  auto run = std::make_shared<LessonRun>(opened.reading.lesson, opened.folder);
  const auto start = enter_at(*run, ui.state.lesson.begin_at);
  if (!start) {
    ui.state.error = problem_text(opened.path, start.error());
    return;
  }
  LessonState lesson;
  lesson.outside = lesson_is_open(ui.state)
                       ? ui.state.lesson.outside
                       : OutsideLesson{view_of(ui.state), ui.state.file_change, ui.state.compare};
  for (const Step& step : opened.reading.lesson.steps)
    lesson.given.emplace_back(questions_of(step).size());
  lesson.run = std::move(run);
  lesson.path = opened.path;
  ui.state.lesson = std::move(lesson);
  ui.state.compare = {};
  ui.state.side_tab = SideTab::kLesson;
  ui.state.notice.clear();
  show_start(ui, *start);
}

void forget_lesson(ViewState& state) {
  if (state.side_tab == SideTab::kLesson) state.side_tab = SideTab::kExplain;
  state.lesson = {};
}

void end_lesson(Ui& ui) {
  const OutsideLesson outside = ui.state.lesson.outside;
  forget_lesson(ui.state);
  forget_pending(ui.state);
  ui.state.view_to_show = outside.view;
  ui.state.file_change = outside.file_change;
  ui.state.compare = outside.compare;
  ui.queue(intent::TakeBack{});
}

StageCell chosen_cell(const ViewState& state) {
  const Selection& selection = state.selection;
  const Cell cell = selected_cell(selection);
  return {selection.stage, is_per_head(selection.stage) ? state.head : 0,
          static_cast<int>(cell.row), static_cast<int>(cell.col)};
}

// A click on the cell that is selected already chooses it, too.
void note_choice(Ui& ui) {
  LessonState& lesson = ui.state.lesson;
  if (lesson.begins) return;
  const StageCell now = chosen_cell(ui.state);
  const bool clicked = ui.state.hovered && ImGui::IsMouseReleased(0) && lesson.seen == now;
  const bool moved = lesson.seen && *lesson.seen != now;
  lesson.seen = now;
  if (!clicked && !moved) return;
  const auto& questions = lesson.run->questions();
  for (std::size_t i = 0; i < questions.size(); ++i)
    if (questions[i]->kind == QuestionKind::kCell) given_of(ui.state, i).clicked = now;
}

// An edit answers it once it is kept: a drag that is taken back does not.
void answer_by_edits(Ui& ui) {
  const LessonRun& run = *ui.state.lesson.run;
  if (ui.workspace.behind() || ui.workspace.history().previewing() || ui.state.lesson.begins)
    return;
  for (std::size_t i = 0; i < run.questions().size(); ++i) {
    const Question& question = *run.questions()[i];
    if (question.kind != QuestionKind::kMake || run.state(i).solved) continue;
    const auto judged = judge(question, {}, live_numbers(ui));
    if (judged && judged->verdict == Verdict::kRight) check_answer(ui, i);
  }
}

const Command* command_in(const Intent& intent) {
  if (const auto* wanted = std::get_if<intent::Preview>(&intent)) return &wanted->command;
  if (const auto* wanted = std::get_if<intent::Apply>(&intent)) return &wanted->command;
  if (const auto* wanted = std::get_if<intent::ApplyMerged>(&intent)) return &wanted->command;
  return nullptr;
}

void refuse(Ui& ui, Control control) {
  ui.state.error =
      "This step of the lesson keeps this as it is: " + std::string(control_name(control));
  // The box shows the sentence that the document has.
  if (control == Control::kSentence) ui.state.sentence.seen = ui.state.kv_sentence.seen = "\n";
}

// What is edited in that part of the window is behind the tab.
SideTab tab_of(std::string_view widget) {
  for (const std::string_view part : {"model/", "matrix/", "fill/", "card/tokens"})
    if (widget.starts_with(part)) return SideTab::kEdit;
  return widget.starts_with("card/") || widget.starts_with("stage/") ? SideTab::kMaps
                                                                     : SideTab::kExplain;
}

void frame_widget(Ui& ui, const std::string& name) {
  const auto& widgets = ui.widgets.widgets();
  auto found = widgets.find(name);
  if (found == widgets.end())
    found = widgets.find("side/" + std::to_string(static_cast<int>(tab_of(name))));
  if (found == widgets.end()) return;
  const float gap = ui.px(kFrameGap);
  const Rect around{found->second.x - gap, found->second.y - gap, found->second.w + 2 * gap,
                    found->second.h + 2 * gap};
  frame_rect(ui, around, ui.theme.selected, ui.px(kFrame), ui.px(8));
}

}  // namespace

LiveNumbers live_numbers(const Ui& ui) { return {ui.workspace.document(), ui.workspace.trace()}; }

bool lesson_is_open(const ViewState& state) { return state.lesson.run != nullptr; }

Given& given_of(ViewState& state, std::size_t question) {
  return state.lesson.given[state.lesson.run->place()][question];
}

bool open_lesson_source(Ui& ui, const std::string& source) {
  if (!is_lesson(source)) return false;
  if (!commit_pending(ui)) return true;
  if (ui.jobs.busy()) {
    ui.state.leaving = destination::Source{source};
    return true;
  }
  const auto opened = open_lesson(source);
  if (!opened) {
    ui.state.error = opened.error().message;
  } else if (!opened->reading.problems.empty()) {
    ui.state.error = first_problem(*opened);
  } else {
    begin_lesson(ui, *opened);
  }
  return true;
}

void leave_lesson(Ui& ui, const Destination& next, bool sure) {
  if (!commit_pending(ui)) return;
  const bool asks = ui.state.lesson.unsaved && !ui.state.lesson.finished;
  if (asks && !sure) {
    open_dialog(ui, Dialog::kLeaveLesson);
    ui.state.dialog.then_go = next;
    return;
  }
  ui.state.lesson.ends = true;
  if (!std::holds_alternative<destination::OwnWork>(next)) ui.state.leaving = next;
}

void go_to_step(Ui& ui, std::size_t place) {
  if (!commit_pending(ui)) return;
  const auto start = ui.state.lesson.run->go_to(place, ui.edited());
  if (!start) return complain(ui, start.error());
  show_start(ui, *start);
}

void next_step(Ui& ui) {
  LessonState& lesson = ui.state.lesson;
  const std::size_t next = lesson.run->place() + 1;
  if (next < lesson.run->lesson().steps.size()) return go_to_step(ui, next);
  lesson.finished = true;
}

void previous_step(Ui& ui) {
  LessonState& lesson = ui.state.lesson;
  if (std::exchange(lesson.finished, false) || lesson.run->place() == 0) return;
  go_to_step(ui, lesson.run->place() - 1);
}

void restart_step(Ui& ui) {
  if (commit_pending(ui)) show_start(ui, ui.state.lesson.run->start());
}

void check_answer(Ui& ui, std::size_t question) {
  const auto judged = ui.state.lesson.run->answer(question, given_of(ui.state, question),
                                                  live_numbers(ui), Clock::now());
  if (!judged) {
    ui.state.error = judged.error().message;
  } else if (judged->verdict != Verdict::kUnclear) {
    ui.state.lesson.unsaved = true;
  }
}

void ask_hint(Ui& ui, std::size_t question) {
  ui.state.lesson.run->give_hint(question, live_numbers(ui));
}

void ask_answers_path(Ui& ui) {
  const std::filesystem::path lesson = ui.state.lesson.path;
  ask_file(ui, Dialog::kSaveAnswers, lesson.stem().string() + "-answers.csv");
}

void save_answers(Ui& ui, const std::string& path) {
  const auto work =
      [path, csv = ui.state.lesson.run->results_csv()](attention::WorkWatch&) -> Job::Finish {
    const auto written = write_bytes(path, csv);
    if (!written) return complaint(written.error());
    return [path](Ui& after) {
      after.state.notice = "Saved the answers to " + path;
      after.state.lesson.unsaved = false;
    };
  };
  ui.jobs.start(ui, {"saving " + file_name_of(path), work, false});
}

bool is_hidden(const ViewState& state, Panel panel) {
  return state.lesson.view.hidden.contains(panel);
}

void follow_lesson(Ui& ui) {
  if (!lesson_is_open(ui.state)) return;
  if (!ui.workspace.sets_aside()) return forget_lesson(ui.state);
  if (ui.state.lesson.ends) return end_lesson(ui);
  answer_by_edits(ui);
}

void show_step(ViewState& state, const Workspace& workspace) {
  LessonState& lesson = state.lesson;
  if (!std::exchange(lesson.begins, false)) return;
  const StepView& view = lesson.view;
  if (view.head) state.head = *view.head;
  if (view.selected)
    select_cell(state.selection, view.selected->stage, {view.selected->row, view.selected->col});
  clamp_selection(state.selection, workspace.document(), workspace.trace(), state.head);
  for (const StageCell& pin : view.pins) {
    const attention::CellRef cell{stage_name(pin.stage), pin.head, pin.row, pin.col};
    if (std::ranges::count(state.reading.pins, cell) == 0) state.reading.pins.push_back(cell);
  }
  state.reading.large = view.large;
  lesson.bring = view.highlights.empty() ? "" : view.highlights.front();
  lesson.seen.reset();
}

void refuse_locked(Ui& ui) {
  if (!lesson_is_open(ui.state)) return;
  const std::set<Control>& locked = ui.state.lesson.view.locked;
  std::erase_if(ui.intents, [&](const Intent& intent) {
    const Command* command = command_in(intent);
    if (!command || !locked.contains(control_of(*command))) return false;
    refuse(ui, control_of(*command));
    return true;
  });
}

void end_lesson_frame(Ui& ui) {
  if (!lesson_is_open(ui.state)) return;
  note_choice(ui);
  if (ui.state.present.on) return;  // a single card is shown, large
  for (const std::string& name : ui.state.lesson.view.highlights) frame_widget(ui, name);
}

}  // namespace lab
