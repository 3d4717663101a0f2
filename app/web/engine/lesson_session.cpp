#include "app/web/engine/lesson_session.h"

#include <array>
#include <utility>

#include "app/base/bad_input.h"
#include "app/document/commands/command.h"

namespace lab::web {
namespace {

using lessons::Question;
using lessons::RichText;
using lessons::TextBlock;
using lessons::TextSpan;
using nlohmann::json;

// In the order of TextSpan::Look and TextBlock::Type.
constexpr std::array kLooks = {"plain", "strong", "emphasis", "code", "formula"};
constexpr std::array kBlocks = {"paragraph", "heading", "item", "code",
                                "quote",     "formula", "table"};

json spans_json(const std::vector<TextSpan>& spans, const Snapshot& live) {
  json list = json::array();
  for (const TextSpan& span : spans) {
    json one{{"look", kLooks[static_cast<std::size_t>(span.look)]},
             {"text", lessons::span_text(span, live)}};
    if (span.live) one["live"] = true;
    if (!span.target.empty()) one["target"] = span.target;
    list.push_back(std::move(one));
  }
  return list;
}

json text_json(const RichText& text, const Snapshot& live) {
  json blocks = json::array();
  for (const TextBlock& block : text)
    blocks.push_back({{"type", kBlocks[static_cast<std::size_t>(block.type)]},
                      {"depth", block.depth},
                      {"marker", block.marker},
                      {"level", block.level},
                      {"spans", spans_json(block.spans, live)}});
  return blocks;
}

json cell_json(const StageCell& cell) {
  return {{"stage", attention::stage_name(cell.stage)},
          {"head", cell.head},
          {"row", cell.row},
          {"col", cell.col}};
}

json view_json(const lessons::StepView& view) {
  json shown = json::object();
  if (view.head) shown["head"] = *view.head;
  if (view.selected) shown["selected"] = cell_json(*view.selected);
  if (view.asked) shown["asked"] = cell_json(*view.asked);
  if (view.large) shown["large"] = attention::stage_name(*view.large);
  shown["pins"] = json::array();
  for (const StageCell& pin : view.pins) shown["pins"].push_back(cell_json(pin));
  shown["ranges"] = json::object();
  for (const auto& [stage, range] : view.ranges)
    shown["ranges"][std::string(attention::stage_name(stage))] = {range.lo, range.hi};
  shown["highlights"] = view.highlights;
  shown["hidden"] = view.hidden;
  shown["locked"] = json::array();
  for (const lessons::Control control : view.locked)
    shown["locked"].push_back(lessons::control_name(control));
  if (view.tiles) shown["tiles"] = lessons::tile_views()[*view.tiles];
  return shown;
}

// How many hints there are is not told before they are asked for: the last may be the arithmetic.
json hints_json(const LessonSession& session, std::size_t index, const Snapshot& live) {
  const Question& question = *session.run.questions()[index];
  const auto given = static_cast<std::size_t>(session.run.state(index).hints);
  json hints = json::array();
  for (std::size_t i = 0; i < std::min(given, question.hints.size()); ++i)
    hints.push_back(text_json(question.hints[i], live));
  if (given > question.hints.size())
    if (const auto lines = lessons::arithmetic_of(question, live)) {
      json blocks = json::array();
      for (const std::string& line : *lines)
        blocks.push_back({{"type", "code"},
                          {"depth", 0},
                          {"marker", ""},
                          {"level", 0},
                          {"spans", {{{"look", "code"}, {"text", line}}}}});
      hints.push_back(std::move(blocks));
    }
  return hints;
}

json question_json(const LessonSession& session, std::size_t index, const Snapshot& live) {
  const Question& question = *session.run.questions()[index];
  const lessons::QuestionState& state = session.run.state(index);
  const lessons::AnswerInput& given = session.given[session.run.step_index()][index];
  std::size_t right = 0;
  json choices = json::array();
  for (const lessons::Choice& choice : question.choices) {
    choices.push_back(text_json(choice.text, live));
    if (choice.right) ++right;
  }
  json described{{"index", index},
                 {"type", lessons::question_type_name(question.type)},
                 {"prompt", text_json(question.prompt, live)},
                 {"choices", std::move(choices)},
                 {"several", right > 1},
                 {"solved", state.solved},
                 {"tries", state.tries},
                 {"hints", hints_json(session, index, live)},
                 {"moreHints", session.run.has_hint(index, live)},
                 {"chosen", given.chosen},
                 {"typed", given.typed}};
  if (given.clicked) described["clicked"] = cell_json(*given.clicked);
  if (question.type == lessons::QuestionType::kCell)
    if (const auto answer = lessons::right_answer(question, live); answer && answer->clicked)
      described["stage"] = attention::stage_name(answer->clicked->stage);
  if (state.judgement)
    described["judgement"] = {{"verdict", lessons::verdict_name(state.judgement->verdict)},
                              {"message", state.judgement->message},
                              {"feedback", text_json(state.judgement->feedback, live)}};
  return described;
}

json items_json(const LessonSession& session, const Snapshot& live) {
  json items = json::array();
  std::size_t question = 0;
  for (const auto& item : session.run.step().items) {
    if (std::holds_alternative<Question>(item)) {
      items.push_back({{"question", question_json(session, question++, live)}});
      continue;
    }
    const auto& passage = std::get<lessons::Passage>(item);
    if (passage.medium != lessons::Medium::kPaper)
      items.push_back({{"text", text_json(passage.text, live)}});
  }
  return items;
}

}  // namespace

LessonSession::LessonSession(const lessons::OpenedLesson& opened)
    : path(opened.path), run(opened.reading.lesson, opened.folder) {
  for (const lessons::Step& step : run.lesson().steps)
    given.emplace_back(lessons::questions_of(step).size());
}

lessons::AnswerInput& LessonSession::given_of(std::size_t question) {
  auto& answers = given[run.step_index()];
  if (question >= answers.size()) throw BadInput("there is no such question");
  return answers[question];
}

json describe_lesson(const LessonSession& session, const Snapshot& live) {
  const lessons::Lesson& lesson = session.run.lesson();
  json steps = json::array();
  for (const lessons::Step& step : lesson.steps) steps.push_back(step.title);
  return {{"title", lesson.title},
          {"goal", lesson.goal},
          {"level", lesson.level},
          {"minutes", lesson.minutes},
          {"steps", std::move(steps)},
          {"step", session.run.step_index()},
          {"view", view_json(session.view)},
          {"items", items_json(session, live)},
          {"questions", session.run.question_count()},
          {"solved", session.run.solved_count()},
          {"open", session.run.open_questions()},
          {"hasAnswers", session.run.has_answers()}};
}

}  // namespace lab::web
