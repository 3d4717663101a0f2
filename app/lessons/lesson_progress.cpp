#include "app/lessons/lesson_progress.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/base/byte_text.h"
#include "app/base/machine_numbers.h"
#include "app/base/strict_json.h"
#include "app/files/document_session.h"
#include "app/files/session/stage_cell_json.h"
#include "app/lessons/lesson_run.h"

namespace lab::lessons {
namespace {

using files::FieldReader;
using files::JsonFromOne;
using nlohmann::ordered_json;

constexpr const char* kProgressType = "attention-lab lesson answers";
constexpr int kProgressVersion = 1;

// --- writing

ordered_json written(const QuestionProgress& question, QuestionType type) {
  const AnswerInput& input = question.input;
  ordered_json object{{"kind", question_type_name(type)}};
  if (!input.chosen.empty()) object["chosen"] = input.chosen;
  if (!input.typed.empty()) object["typed"] = storable(input.typed);
  if (input.clicked) object["clicked"] = ordered_json::parse(files::json_line(*input.clicked));
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

// The items of a list, which messages call by the location of the list.
template <typename Visit>
void for_each_item(const JsonCursor& list, Visit&& visit) {
  for (const auto& item : list.list().value()) visit(JsonCursor(item, list.path()));
}

QuestionProgress read_question(const JsonCursor& object) {
  QuestionProgress question;
  const FieldReader members(object.object());
  if (const auto chosen = object.find("chosen"))
    for_each_item(*chosen, [&](const JsonCursor& choice) {
      question.input.chosen.push_back(static_cast<std::size_t>(choice.whole()));
    });
  members.may_miss("typed", question.input.typed);
  members.may_miss("clicked", question.input.clicked);
  members.may_miss("tries", question.tries);
  members.may_miss("hints", question.hints);
  members.may_miss("solved", question.solved);
  members.may_miss("judged", question.judged);
  return question;
}

// The value that `from_name` knows by the name in `value`.
template <typename FromName>
auto read_name(const JsonCursor& value, FromName from_name, const char* problem) {
  const auto known = from_name(value.text());
  if (!known) value.refuse(problem);
  return *known;
}

AnswerRecord read_result(const JsonCursor& object) {
  AnswerRecord result;
  const JsonCursor time = object.object().at("time");
  if (!time.value().is_number_integer()) time.refuse("should be a whole number");
  result.time = std::chrono::system_clock::from_time_t(time.value().get<std::time_t>());
  const FieldReader members(object);
  members("step", result.step, JsonFromOne());
  members("question", result.question, JsonFromOne());
  members("answer", result.answer);
  result.verdict = read_name(object.at("verdict"), verdict_from_name, "is no verdict");
  members("hints", result.hints);
  return result;
}

std::string read_lesson_path(const JsonCursor& object) {
  const auto hex = object.find("lesson_hex");
  if (!hex) return object.at("lesson").text();
  const auto bytes = from_hex(hex->text());
  if (!bytes) hex->refuse("should be two digits a byte");
  return *bytes;
}

// A document whose model is no longer there is left out: the answers count without it.
void read_session_of_step(const JsonCursor& object, LessonProgress& progress) {
  const auto step_index = static_cast<std::size_t>(JsonFromOne::read(object.object().at("step")));
  const JsonCursor session(object.at("session").value(), object.path());
  auto document = files::read_journal_session(session.text());
  if (document) return (void)progress.documents.emplace(step_index, std::move(*document));
  if (document.error().type != ErrorType::kIo) object.refuse(document.error().message);
  progress.notes.push_back(document.error().message);
}

LessonProgress read(std::string_view text) {
  const nlohmann::json file = parse_json(text);
  const JsonCursor object(file, "the file");
  if (const JsonCursor type = object.object().at("type"); type.text() != kProgressType)
    type.refuse("should be " + in_quotes(kProgressType));
  if (object.at("version").whole() != kProgressVersion)
    throw BadInput("it was written by another version of the program");
  LessonProgress progress;
  const FieldReader members(object);
  progress.path = read_lesson_path(object);
  members("title", progress.title);
  members("step", progress.step_index, JsonFromOne());
  for_each_item(object.at("questions"), [&](const JsonCursor& step) {
    auto& questions = progress.questions.emplace_back();
    auto& types = progress.types.emplace_back();
    for_each_item(step, [&](const JsonCursor& question) {
      questions.push_back(read_question(question));
      types.push_back(
          read_name(question.at("kind"), question_type_from_name, "is no kind of question"));
    });
  });
  for_each_item(object.at("results"),
                [&](const JsonCursor& result) { progress.results.push_back(read_result(result)); });
  for_each_item(object.at("sessions"),
                [&](const JsonCursor& one) { read_session_of_step(one, progress); });
  return progress;
}

bool is_answered(const QuestionProgress& question) {
  const AnswerInput& input = question.input;
  return question.solved || question.tries > 0 || !input.chosen.empty() || !input.typed.empty() ||
         input.clicked;
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
  object["step"] = progress.step_index + 1;
  ordered_json& steps = object["questions"] = ordered_json::array();
  for (std::size_t step = 0; step < progress.questions.size(); ++step) {
    steps.push_back(ordered_json::array());
    for (std::size_t i = 0; i < progress.questions[step].size(); ++i)
      steps.back().push_back(written(progress.questions[step][i], progress.types[step][i]));
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
