#include "app/lessons/lesson_progress.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/base/bad_input.h"
#include "app/base/byte_text.h"
#include "app/base/machine_numbers.h"
#include "app/base/names.h"
#include "app/base/strict_json.h"
#include "app/files/document_session.h"
#include "app/files/session/json_reading.h"
#include "app/files/session/stage_cell_json.h"
#include "app/lessons/lesson_run.h"

namespace lab::lessons {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr const char* kProgressType = "attention-lab lesson answers";
constexpr int kProgressVersion = 1;

// --- writing

ordered_json written(const QuestionProgress& question, QuestionKind kind) {
  const Given& given = question.given;
  ordered_json object{{"kind", question_kind_name(kind)}};
  if (!given.chosen.empty()) object["chosen"] = given.chosen;
  if (!given.typed.empty()) object["typed"] = storable(given.typed);
  if (given.clicked)
    object["clicked"] = ordered_json::parse("{" + files::stage_cell_json(*given.clicked) + "}");
  if (question.tries > 0) object["tries"] = question.tries;
  if (question.hints > 0) object["hints"] = question.hints;
  if (question.solved) object["solved"] = true;
  if (question.judged) object["judged"] = true;
  return object;
}

ordered_json written(const AnswerRecord& result) {
  const auto seconds = std::chrono::system_clock::to_time_t(result.time);
  return {{"time", static_cast<std::int64_t>(seconds)},
          {"step", result.step + 1},
          {"question", result.question + 1},
          {"answer", storable(result.answer)},
          {"verdict", verdict_name(result.verdict)},
          {"hints", result.hints}};
}

// --- reading

std::size_t read_place(const json& value, const std::string& path) {
  const int number = files::read_size(value, path);
  if (number < 1) files::wrong(path, "0, should be a whole number from 1");
  return static_cast<std::size_t>(number) - 1;
}

bool flag(const json& object, const char* name, const std::string& path) {
  const json* value = files::find(object, name);
  return value != nullptr && files::read_bool(*value, path + "." + name);
}

int count(const json& object, const char* name, const std::string& path) {
  const json* value = files::find(object, name);
  return value == nullptr ? 0 : files::read_size(*value, path + "." + name);
}

QuestionProgress read_question(const json& object, const std::string& path) {
  QuestionProgress question;
  if (const json* chosen = files::find(object, "chosen"))
    for (const json& choice : files::checked_list(*chosen, path + ".chosen"))
      question.given.chosen.push_back(
          static_cast<std::size_t>(files::read_size(choice, path + ".chosen")));
  if (const json* typed = files::find(object, "typed"))
    question.given.typed = files::read_string(*typed, path + ".typed");
  if (const json* clicked = files::find(object, "clicked"))
    question.given.clicked = files::read_stage_cell(*clicked, path + ".clicked");
  question.tries = count(object, "tries", path);
  question.hints = count(object, "hints", path);
  question.solved = flag(object, "solved", path);
  question.judged = flag(object, "judged", path);
  return question;
}

QuestionKind read_kind(const json& object, const std::string& path) {
  const auto kind = question_kind_from_name(
      files::read_string(files::require(object, path, "kind"), path + ".kind"));
  if (!kind) files::wrong(path + ".kind", "is no kind of question");
  return *kind;
}

void read_questions(const json& steps, LessonProgress& progress) {
  for (const json& step : files::checked_list(steps, "questions")) {
    auto& questions = progress.questions.emplace_back();
    auto& kinds = progress.kinds.emplace_back();
    for (const json& question : files::checked_list(step, "questions")) {
      files::checked_object(question, "questions");
      questions.push_back(read_question(question, "questions"));
      kinds.push_back(read_kind(question, "questions"));
    }
  }
}

AnswerRecord read_result(const json& object) {
  files::checked_object(object, "results");
  const auto member = [&](const char* name) -> const json& {
    return files::require(object, "results", name);
  };
  AnswerRecord result;
  if (!member("time").is_number_integer()) files::wrong("results.time", "should be a whole number");
  result.time = std::chrono::system_clock::from_time_t(member("time").get<std::time_t>());
  result.step = read_place(member("step"), "results.step");
  result.question = read_place(member("question"), "results.question");
  result.answer = files::read_string(member("answer"), "results.answer");
  const auto verdict = verdict_from_name(files::read_string(member("verdict"), "results.verdict"));
  if (!verdict) files::wrong("results.verdict", "is no verdict");
  result.verdict = *verdict;
  result.hints = files::read_size(member("hints"), "results.hints");
  return result;
}

std::string read_lesson_path(const json& object) {
  const json* hex = files::find(object, "lesson_hex");
  if (!hex) return files::read_string(files::require(object, "", "lesson"), "lesson");
  const auto bytes = from_hex(files::read_string(*hex, "lesson_hex"));
  if (!bytes) files::wrong("lesson_hex", "should be two digits a byte");
  return *bytes;
}

// A document whose model is no longer there is left out: the answers count without it.
void read_session_of_step(const json& object, LessonProgress& progress) {
  files::checked_object(object, "sessions");
  const std::size_t place = read_place(files::require(object, "sessions", "step"), "sessions.step");
  const json& session = files::require(object, "sessions", "session");
  auto document = files::read_journal_session(files::read_string(session, "sessions"));
  if (document) return (void)progress.documents.emplace(place, std::move(*document));
  if (document.error().kind != ErrorKind::kIo)
    throw BadInput("sessions: " + document.error().message);
  progress.notes.push_back(document.error().message);
}

LessonProgress read(std::string_view text) {
  const json object = parse_json(text);
  files::checked_object(object, "the file");
  if (files::read_string(files::require(object, "", "type"), "type") != kProgressType)
    files::wrong("type", "should be " + in_quotes(kProgressType));
  if (files::read_size(files::require(object, "", "version"), "version") != kProgressVersion)
    throw BadInput("it was written by another version of the program");
  LessonProgress progress;
  progress.path = read_lesson_path(object);
  progress.title = files::read_string(files::require(object, "", "title"), "title");
  progress.place = read_place(files::require(object, "", "step"), "step");
  read_questions(files::require(object, "", "questions"), progress);
  for (const json& result : files::checked_list(files::require(object, "", "results"), "results"))
    progress.results.push_back(read_result(result));
  for (const json& one : files::checked_list(files::require(object, "", "sessions"), "sessions"))
    read_session_of_step(one, progress);
  return progress;
}

bool is_answered(const QuestionProgress& question) {
  const Given& given = question.given;
  return question.solved || question.tries > 0 || !given.chosen.empty() || !given.typed.empty() ||
         given.clicked;
}

}  // namespace

std::size_t answered_count(const LessonProgress& progress) {
  std::size_t count = 0;
  for (const auto& step : progress.questions)
    count += static_cast<std::size_t>(std::ranges::count_if(step, is_answered));
  return count;
}

std::string write_progress(const LessonProgress& progress) {
  ordered_json object{{"type", kProgressType}, {"version", kProgressVersion}};
  if (storable(progress.path) == progress.path) {
    object["lesson"] = progress.path;
  } else {
    object["lesson_hex"] = to_hex(progress.path);
  }
  object["title"] = storable(progress.title);
  object["step"] = progress.place + 1;
  ordered_json& steps = object["questions"] = ordered_json::array();
  for (std::size_t step = 0; step < progress.questions.size(); ++step) {
    steps.push_back(ordered_json::array());
    for (std::size_t i = 0; i < progress.questions[step].size(); ++i)
      steps.back().push_back(written(progress.questions[step][i], progress.kinds[step][i]));
  }
  ordered_json& results = object["results"] = ordered_json::array();
  for (const AnswerRecord& result : progress.results) results.push_back(written(result));
  ordered_json& sessions = object["sessions"] = ordered_json::array();
  for (const auto& [step, document] : progress.documents)
    sessions.push_back({{"step", step + 1}, {"session", files::journal_session(document)}});
  return object.dump();
}

Expected<LessonProgress> read_progress(std::string_view json) {
  return guarded([&] { return read(json); });
}

}  // namespace lab::lessons
