#include <algorithm>
#include <utility>

#include "app/lessons/lesson_run.h"
#include "app/lessons/model/live_evaluator.h"

namespace lab::lessons {
namespace {

// A cell that is not in the document any more was not clicked.
bool is_cell_of(const StageCell& cell, const attention::Problem& problem) {
  const attention::Shape shape = attention::stage_shape(problem, cell.stage);
  return cell.head < problem.config.n_heads && cell.row < shape.rows && cell.col < shape.cols;
}

// Of a trained model only edits count, not which layer is shown.
bool is_changed(const Document& left, const Document& entered) {
  if (left.layer.model) return left.layer.model != entered.layer.model;
  return !same_document(left, entered);
}

bool fits_question(const QuestionProgress& progress, const Question& question) {
  return std::ranges::all_of(progress.input.chosen,
                             [&](std::size_t choice) { return choice < question.choices.size(); });
}

}  // namespace

bool LessonRun::is_edited(const Document& now) const {
  for (std::size_t index = 0; index < visits_.size(); ++index) {
    if (!visits_[index]) continue;
    const Document& left = index == step_index_ ? now : visits_[index]->left;
    if (is_changed(left, visits_[index]->entered.document)) return true;
  }
  return false;
}

LessonProgress LessonRun::progress(const Document& now,
                                   const std::vector<std::vector<AnswerInput>>& input) const {
  LessonProgress all;
  all.title = lesson_.title;
  all.step_index = step_index_;
  all.results = results_;
  for (std::size_t index = 0; index < states_.size(); ++index) {
    auto& questions = all.questions.emplace_back();
    auto& types = all.types.emplace_back();
    for (const Question* question : questions_of(lesson_.steps[index])) {
      const QuestionState& state = states_[index][questions.size()];
      types.push_back(question->type);
      questions.push_back({input[index][questions.size()], state.tries, state.hints, state.solved,
                           state.judgement.has_value()});
    }
    if (!visits_[index]) continue;
    const Document& left = index == step_index_ ? now : visits_[index]->left;
    if (is_changed(left, visits_[index]->entered.document)) all.documents.emplace(index, left);
  }
  return all;
}

Expected<void> LessonRun::check_fits(const LessonProgress& progress) const {
  const auto other = [] {
    return fail(ErrorType::kBadInput, "the lesson has other questions now");
  };
  if (progress.questions.size() != lesson_.steps.size() ||
      progress.step_index >= lesson_.steps.size())
    return other();
  for (std::size_t step = 0; step < lesson_.steps.size(); ++step) {
    const auto questions = questions_of(lesson_.steps[step]);
    if (questions.size() != progress.questions[step].size()) return other();
    for (std::size_t i = 0; i < questions.size(); ++i) {
      if (questions[i]->type != progress.types[step][i] ||
          !fits_question(progress.questions[step][i], *questions[i]))
        return other();
    }
  }
  const bool known = std::ranges::all_of(progress.results, [&](const AnswerRecord& result) {
    return result.step < states_.size() && result.question < states_[result.step].size();
  });
  return known ? Expected<void>() : other();
}

// What was judged is judged again, on the numbers that the step was left with.
void LessonRun::restore_answers(std::size_t index, std::vector<QuestionProgress>& progress) {
  LiveEvaluator evaluator;
  const Document& document = visits_[index]->left;
  std::optional<Snapshot> live;
  const auto questions = questions_of(lesson_.steps[index]);
  for (std::size_t i = 0; i < questions.size(); ++i) {
    QuestionProgress& done = progress[i];
    std::optional<StageCell>& clicked = done.input.clicked;
    if (clicked && !is_cell_of(*clicked, document.problem)) clicked.reset();
    QuestionState& state = states_[index][i];
    state = {{}, done.tries, done.hints, done.solved};
    if (!done.judged) continue;
    if (!live) live = evaluator.evaluate(document);
    if (auto judgement = judge(*questions[i], done.input, *live)) state.judgement = *judgement;
  }
}

LessonRun::Entered LessonRun::resume(LessonProgress& progress) {
  if (auto fits = check_fits(progress); !fits)
    return tl::make_unexpected(LessonProblem{1, fits.error().message});
  const auto document = initial_document();
  if (!document) return tl::make_unexpected(LessonProblem{1, document.error().message});
  std::size_t last = progress.step_index;
  for (const auto& [index, changed] : progress.documents)
    last = std::max(last, std::min(index, lesson_.steps.size() - 1));
  for (std::size_t index = 0; index <= last; ++index) {
    if (auto entered = enter(index, index == 0 ? *document : visits_[index - 1]->left); !entered)
      return entered;
    const auto changed = progress.documents.find(index);
    if (changed != progress.documents.end()) visits_[index]->left = changed->second;
    restore_answers(index, progress.questions[index]);
  }
  for (std::size_t index = last + 1; index < lesson_.steps.size(); ++index)
    for (std::size_t i = 0; i < states_[index].size(); ++i) {
      QuestionProgress& done = progress.questions[index][i];
      done.input.clicked.reset();
      states_[index][i] = {{}, done.tries, done.hints, done.solved};
    }
  results_ = progress.results;
  show(progress.step_index);
  return StepStart{visits_[step_index_]->left, visits_[step_index_]->entered.view};
}

}  // namespace lab::lessons
