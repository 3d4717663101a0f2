// What a page can ask while it plays a lesson.
#include <array>
#include <chrono>
#include <string>

#include "app/base/bad_input.h"
#include "app/lessons/lesson_progress.h"
#include "app/lessons/reading/lesson_reader.h"
#include "app/web/engine/describe.h"
#include "app/web/engine/engine.h"
#include "app/web/engine/lesson_session.h"
#include "app/web/engine/requests.h"

namespace lab::web {
namespace {

using nlohmann::json;

Snapshot live_numbers(Engine& engine) {
  const Workspace& workspace = engine.workspace();
  return {workspace.document(), workspace.trace(), workspace.network_trace()};
}

LessonSession& lesson_of(Engine& engine) {
  if (!engine.lesson()) throw BadInput("no lesson is open");
  return *engine.lesson();
}

json lesson_json(Engine& engine) {
  return {{"lesson", describe_lesson(lesson_of(engine), live_numbers(engine))}};
}

// Shows what a step begins with, with its state and the lesson.
json entered(Engine& engine, const lessons::LessonRun::Entered& start) {
  LessonSession& session = lesson_of(engine);
  if (!start) throw BadInput(lessons::problem_text(session.path, start.error()));
  session.view = start->view;
  engine.show(start->document);
  json answer = describe_state(engine.workspace());
  answer["lesson"] = describe_lesson(session, live_numbers(engine));
  return answer;
}

/// The lessons that the page carries, in its language.
json list_lessons(Engine& /*engine*/, const json& /*request*/) {
  json list = json::array();
  for (const lessons::LessonInfo& lesson : lessons::built_in_lessons())
    list.push_back({{"number", lesson.number},
                    {"name", lesson.name},
                    {"title", lesson.title},
                    {"goal", lesson.goal},
                    {"level", lesson.level},
                    {"minutes", lesson.minutes},
                    {"questions", lesson.questions}});
  return {{"lessons", std::move(list)}};
}

/// Begins the lesson "source": the name of one that the page carries, or the path of a file.
json begin_lesson(Engine& engine, const json& request) {
  const lessons::OpenedLesson opened =
      value_or_bad_input(lessons::open_lesson(request.at("source").get<std::string>()));
  if (!opened.reading.problems.empty())
    throw BadInput(lessons::problem_text(opened.path, opened.reading.problems.front()));
  auto session = std::make_unique<LessonSession>(opened);
  const auto start = session->run.begin();
  if (!start) throw BadInput(lessons::problem_text(opened.path, start.error()));
  engine.set_lesson(std::move(session));
  return entered(engine, start);
}

/// The lesson again, with the numbers and texts of now.
json show_lesson(Engine& engine, const json& /*request*/) { return lesson_json(engine); }

/// Ends the lesson; what it shows stays open.
json end_lesson(Engine& engine, const json& /*request*/) {
  engine.set_lesson(nullptr);
  return describe_state(engine.workspace());
}

/// Goes to "step", from 0.
json go_to_step(Engine& engine, const json& request) {
  const auto step = request.at("step").get<std::size_t>();
  LessonSession& session = lesson_of(engine);
  if (step >= session.run.lesson().steps.size()) throw BadInput("there is no such step");
  return entered(engine, session.run.go_to(step, engine.workspace().document()));
}

/// Begins the step again, and forgets its answers.
json reset_step(Engine& engine, const json& /*request*/) {
  LessonSession& session = lesson_of(engine);
  const lessons::LessonRun::Entered start = session.run.reset_step();
  for (lessons::AnswerInput& given : session.given[session.run.step_index()]) given = {};
  return entered(engine, start);
}

StageCell clicked_cell(const json& cell) {
  const auto stage = attention::stage_from_name(cell.at("stage").get<std::string>());
  if (!stage) throw BadInput("there is no such stage");
  return {*stage, cell.at("head").get<int>(), cell.at("row").get<int>(), cell.at("col").get<int>()};
}

/// What the student gives for "question": "chosen" (numbers of choices), "typed" or "clicked" (a
/// cell); it is not judged yet, and an earlier judgement is withdrawn.
json give(Engine& engine, const json& request) {
  LessonSession& session = lesson_of(engine);
  const auto question = request.at("question").get<std::size_t>();
  lessons::AnswerInput& given = session.given_of(question);
  given.chosen = request.value("chosen", given.chosen);
  given.typed = request.value("typed", given.typed);
  if (request.contains("clicked")) given.clicked = clicked_cell(request["clicked"]);
  session.run.withdraw(question);
  return lesson_json(engine);
}

/// Judges what was given for "question", or the edits that it asked for.
json judge_answer(Engine& engine, const json& request) {
  LessonSession& session = lesson_of(engine);
  const auto question = request.at("question").get<std::size_t>();
  const lessons::AnswerInput& given = session.given_of(question);
  const auto judged =
      session.run.answer(question, given, live_numbers(engine), std::chrono::system_clock::now());
  if (!judged) throw BadInput(judged.error().message);
  return lesson_json(engine);
}

/// Shows another hint for "question".
json give_hint(Engine& engine, const json& request) {
  LessonSession& session = lesson_of(engine);
  const auto question = request.at("question").get<std::size_t>();
  session.given_of(question);
  session.run.give_hint(question, live_numbers(engine));
  return lesson_json(engine);
}

/// The table of answers of "student", as CSV, into the output.
json results(Engine& engine, const json& request) {
  engine.output() = lesson_of(engine).run.results_csv(request.value("student", ""));
  return {{"bytes", engine.output().size()}};
}

/// Everything that was done in the lesson, into the output, for "resume".
json save_progress(Engine& engine, const json& /*request*/) {
  const LessonSession& session = lesson_of(engine);
  lessons::LessonProgress progress =
      session.run.progress(engine.workspace().document(), session.given);
  progress.path = session.path;
  engine.output() = lessons::write_progress(progress);
  return {{"bytes", engine.output().size()}};
}

/// Goes on with the lesson whose progress is in the input.
json resume(Engine& engine, const json& /*request*/) {
  lessons::LessonProgress progress = value_or_bad_input(lessons::read_progress(engine.input()));
  engine.input().clear();
  const lessons::OpenedLesson opened = value_or_bad_input(lessons::open_lesson(progress.path));
  if (!opened.reading.problems.empty())
    throw BadInput(lessons::problem_text(opened.path, opened.reading.problems.front()));
  auto session = std::make_unique<LessonSession>(opened);
  const auto start = session->run.resume(progress);
  if (!start) throw BadInput(lessons::problem_text(opened.path, start.error()));
  for (std::size_t step = 0; step < progress.questions.size(); ++step)
    for (std::size_t i = 0; i < progress.questions[step].size(); ++i)
      session->given[step][i] = progress.questions[step][i].input;
  engine.set_lesson(std::move(session));
  return entered(engine, start);
}

constexpr std::array kLessonRequests = std::to_array<Request>({
    {"lessons", list_lessons},
    {"begin_lesson", begin_lesson},
    {"lesson", show_lesson},
    {"end_lesson", end_lesson},
    {"step", go_to_step},
    {"reset_step", reset_step},
    {"give", give},
    {"judge", judge_answer},
    {"hint", give_hint},
    {"results", results},
    {"save_progress", save_progress},
    {"resume", resume},
});

}  // namespace

std::span<const Request> lesson_requests() { return kLessonRequests; }

}  // namespace lab::web
