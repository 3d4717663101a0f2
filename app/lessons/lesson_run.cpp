#include "app/lessons/lesson_run.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <ranges>
#include <set>
#include <utility>

#include "app/files/import/csv.h"
#include "app/lessons/model/live_evaluator.h"
#include "app/translation/words.h"

namespace lab::lessons {
namespace {

// "2026-03-01T09:30:00Z"
std::string time_text(LessonRun::Time time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm utc{};
  ::gmtime_r(&seconds, &utc);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc)};
}

std::size_t hint_count(const Question& question, const Snapshot& live) {
  const auto arithmetic = arithmetic_of(question, live);
  return question.hints.size() + (arithmetic && !arithmetic->empty() ? 1 : 0);
}

}  // namespace

LessonRun::LessonRun(Lesson lesson, std::string folder)
    : lesson_(std::move(lesson)), folder_(std::move(folder)), visits_(lesson_.steps.size()) {
  for (const Step& step : lesson_.steps) states_.emplace_back(questions_of(step).size());
  show(0);
}

std::size_t LessonRun::question_count() const {
  std::size_t count = 0;
  for (const auto& step : states_) count += step.size();
  return count;
}

std::size_t LessonRun::solved_count() const {
  std::size_t count = 0;
  for (const auto& step : states_)
    count += static_cast<std::size_t>(std::ranges::count(step, true, &QuestionState::solved));
  return count;
}

std::vector<std::pair<std::size_t, std::size_t>> LessonRun::open_questions() const {
  std::vector<std::pair<std::size_t, std::size_t>> open;
  for (std::size_t step = 0; step < states_.size(); ++step)
    for (std::size_t question = 0; question < states_[step].size(); ++question)
      if (!states_[step][question].solved) open.emplace_back(step, question);
  return open;
}

void LessonRun::show(std::size_t index) {
  step_index_ = index;
  ++changes_;
  questions_ = questions_of(step());
}

LessonRun::Entered LessonRun::begin() {
  const auto document = initial_document();
  if (!document) return tl::make_unexpected(LessonProblem{step().line, document.error().message});
  return enter(0, *document);
}

LessonRun::Entered LessonRun::enter(std::size_t index, const Document& before) {
  auto start = start_step(lesson_.steps[index], before, folder_);
  if (!start) return start;
  visits_[index] = Visit{*start, start->document};
  return start;
}

LessonRun::Entered LessonRun::go_to(std::size_t index, const Document& now) {
  visits_[step_index_]->left = now;
  for (std::size_t next = 1; next <= index; ++next) {
    if (visits_[next]) continue;
    if (auto entered = enter(next, visits_[next - 1]->left); !entered) return entered;
  }
  show(index);
  return StepStart{visits_[index]->left, visits_[index]->entered.view};
}

const StepStart& LessonRun::reset_step() {
  results_ = results();
  for (QuestionState& state : states_[step_index_]) state = {};
  Visit& visit = *visits_[step_index_];
  visit.left = visit.entered.document;
  ++changes_;
  return visit.entered;
}

void LessonRun::continue_from(const LessonRun& other,
                              const std::vector<std::vector<AnswerInput>>& input) {
  const auto same = [](const auto& a, const auto& b) { return a.size() == b.size(); };
  if (!std::ranges::equal(states_, other.states_, same)) return;
  states_ = other.states_;
  results_ = other.results_;
  changes_ = other.changes_ + 1;
  for (std::size_t index = 0; index < states_.size(); ++index) judge_again(index, input[index]);
}

// A step that was not visited in this run has no numbers to judge by. An edit has to be made again
// in the step, so its verdict stays as it was.
void LessonRun::judge_again(std::size_t index, const std::vector<AnswerInput>& input) {
  const auto questions = questions_of(lesson_.steps[index]);
  LiveEvaluator evaluator;
  std::optional<Snapshot> live;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    std::optional<Judgement>& judgement = states_[index][i].judgement;
    if (!judgement) continue;
    if (!visits_[index]) {
      judgement.reset();
      continue;
    }
    const Document& document = visits_[index]->left;
    if (!live) live = evaluator.evaluate(document);
    const auto again = judge(*questions[i], input[i], *live);
    if (again && again->verdict == judgement->verdict) judgement = *again;
  }
}

// True when an edit that is asked for above the question, in its step, is not made: the numbers
// would be those before it.
bool LessonRun::waits_for_edit(std::size_t question, const Snapshot& live) const {
  if (questions_[question]->type == QuestionType::kMake) return false;
  for (std::size_t i = question; i-- > 0;) {
    if (questions_[i]->type != QuestionType::kMake) continue;
    const auto made = judge(*questions_[i], {}, live);
    return made && made->verdict != Verdict::kRight;
  }
  return false;
}

// A text is one answer, however often it is changed.
void LessonRun::forget_text(std::size_t question) {
  if (questions_[question]->type != QuestionType::kText) return;
  std::erase_if(results_, [&](const AnswerRecord& result) {
    return result.step == step_index_ && result.question == question;
  });
}

Expected<Judgement> LessonRun::answer(std::size_t question, const AnswerInput& input,
                                      const Snapshot& live, Time now) {
  auto judgement = judge(*questions_[question], input, live);
  if (judgement && waits_for_edit(question, live))
    judgement = Judgement{Verdict::kUnclear, tr("First do what is asked above this question."), {}};
  ++changes_;
  QuestionState& state = states_[step_index_][question];
  if (!judgement) {
    state.judgement = Judgement{Verdict::kUnclear, judgement.error().message, {}};
    return judgement;
  }
  state.judgement = *judgement;
  if (judgement->verdict == Verdict::kUnclear) return judgement;
  ++state.tries;
  state.solved = state.solved || judgement->verdict != Verdict::kWrong;
  forget_text(question);
  results_.push_back({now, step_index_, question, input_text(*questions_[question], input, live),
                      judgement->verdict, state.hints});
  return judgement;
}

void LessonRun::withdraw(std::size_t question) {
  QuestionState& state = states_[step_index_][question];
  ++changes_;
  const bool is_text = questions_[question]->type == QuestionType::kText;
  if (is_text && std::exchange(state.solved, false)) forget_text(question);
  if (!state.solved) state.judgement.reset();
}

bool LessonRun::has_hint(std::size_t question, const Snapshot& live) const {
  return static_cast<std::size_t>(state(question).hints) < hint_count(*questions_[question], live);
}

bool LessonRun::give_hint(std::size_t question, const Snapshot& live) {
  if (!has_hint(question, live)) return false;
  ++states_[step_index_][question].hints;
  ++changes_;
  return true;
}

std::vector<AnswerRecord> LessonRun::results() const {
  std::vector<AnswerRecord> results = results_;
  std::set<std::pair<std::size_t, std::size_t>> later;
  for (std::size_t i = results.size(); i-- > 0;) {
    AnswerRecord& result = results[i];
    const bool last = later.emplace(result.step, result.question).second;
    if (last && result.verdict == Verdict::kWrong)
      result.hints = std::max(result.hints, states_[result.step][result.question].hints);
  }
  return results;
}

std::string LessonRun::results_csv(const std::string& student) const {
  std::string csv = "lesson,student,time,step,title,question,kind,answer,verdict,hints\r\n";
  const std::string whose = files::csv_field(lesson_.title) + "," + files::csv_field(student) + ",";
  for (const AnswerRecord& result : results()) {
    const Step& step = lesson_.steps[result.step];
    const Question& question = *questions_of(step)[result.question];
    csv += whose + time_text(result.time) + "," + std::to_string(result.step + 1) + "," +
           files::csv_field(step.title) + "," + std::to_string(result.question + 1) + "," +
           std::string(question_type_name(question.type)) + "," + files::csv_field(result.answer) +
           "," + std::string(verdict_name(result.verdict)) + "," + std::to_string(result.hints) +
           "\r\n";
  }
  return csv;
}

std::string input_text(const Question& question, const AnswerInput& input, const Snapshot& live) {
  if (question.type == QuestionType::kMake) return "done";
  if (input.clicked) {
    const StageCell& cell = *input.clicked;
    return std::string(stage_name(cell.stage)) + "[" +
           (is_per_head(cell.stage) ? head_number(live.document, cell.head) + ", " : "") +
           row_label(live.document, cell.stage, cell.row) + ", " +
           column_label(live.document, cell.stage, cell.col) + "]";
  }
  if (question.type != QuestionType::kChoice) return input.typed;
  std::string text;
  for (const std::size_t choice : input.chosen)
    text += (text.empty() ? "" : "; ") + plain_text(question.choices.at(choice).text, live);
  return text;
}

}  // namespace lab::lessons
