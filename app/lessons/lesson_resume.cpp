#include <algorithm>
#include <utility>

#include "app/document/stage_labels.h"
#include "app/lessons/lesson_run.h"
#include "app/lessons/model/live_evaluator.h"

namespace lab::lessons {
namespace {

// A cell that is not in the document any more was not clicked.
bool is_cell_of(const StageCell& cell, const attention::Problem& problem) {
  const attention::Shape shape = attention::stage_shape(problem, cell.stage);
  return cell.head < problem.config.n_heads && cell.row < shape.rows && cell.col < shape.cols;
}

// Of a trained model only edits count, not which layer is looked at.
bool is_changed(const Document& left, const Document& entered) {
  if (left.layer.model) return left.layer.model != entered.layer.model;
  return !same_document(left, entered);
}

bool fits_question(const QuestionProgress& progress, const Question& question) {
  return std::ranges::all_of(progress.given.chosen,
                             [&](std::size_t choice) { return choice < question.choices.size(); });
}

}  // namespace

bool LessonRun::is_edited(const Document& now) const {
  for (std::size_t place = 0; place < visits_.size(); ++place) {
    if (!visits_[place]) continue;
    const Document& left = place == place_ ? now : visits_[place]->left;
    if (is_changed(left, visits_[place]->entered.document)) return true;
  }
  return false;
}

LessonProgress LessonRun::progress(const Document& now,
                                   const std::vector<std::vector<Given>>& given) const {
  LessonProgress all;
  all.title = lesson_.title;
  all.place = place_;
  all.results = results_;
  for (std::size_t place = 0; place < states_.size(); ++place) {
    auto& questions = all.questions.emplace_back();
    auto& types = all.types.emplace_back();
    for (const Question* question : questions_of(lesson_.steps[place])) {
      const QuestionState& state = states_[place][questions.size()];
      types.push_back(question->type);
      questions.push_back({given[place][questions.size()], state.tries, state.hints, state.solved,
                           state.judgement.has_value()});
    }
    if (!visits_[place]) continue;
    const Document& left = place == place_ ? now : visits_[place]->left;
    if (is_changed(left, visits_[place]->entered.document)) all.documents.emplace(place, left);
  }
  return all;
}

Expected<void> LessonRun::check_fits(const LessonProgress& progress) const {
  const auto other = [] {
    return fail(ErrorType::kBadInput, "the lesson has other questions now");
  };
  if (progress.questions.size() != lesson_.steps.size() || progress.place >= lesson_.steps.size())
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
void LessonRun::restore_answers(std::size_t place, std::vector<QuestionProgress>& progress) {
  LiveEvaluator evaluator;
  const Document& document = visits_[place]->left;
  std::optional<Snapshot> live;
  const auto questions = questions_of(lesson_.steps[place]);
  for (std::size_t i = 0; i < questions.size(); ++i) {
    QuestionProgress& done = progress[i];
    std::optional<StageCell>& clicked = done.given.clicked;
    if (clicked && !is_cell_of(*clicked, document.problem)) clicked.reset();
    QuestionState& state = states_[place][i];
    state = {{}, done.tries, done.hints, done.solved};
    if (!done.judged) continue;
    if (!live) live = evaluator.evaluate(document);
    if (auto judgement = judge(*questions[i], done.given, *live)) state.judgement = *judgement;
  }
}

LessonRun::Entered LessonRun::resume(LessonProgress& progress) {
  if (auto fits = check_fits(progress); !fits)
    return tl::make_unexpected(LessonProblem{1, fits.error().message});
  const auto document = initial_document();
  if (!document) return tl::make_unexpected(LessonProblem{1, document.error().message});
  std::size_t last = progress.place;
  for (const auto& [place, changed] : progress.documents)
    last = std::max(last, std::min(place, lesson_.steps.size() - 1));
  for (std::size_t place = 0; place <= last; ++place) {
    if (auto entered = enter(place, place == 0 ? *document : visits_[place - 1]->left); !entered)
      return entered;
    const auto changed = progress.documents.find(place);
    if (changed != progress.documents.end()) visits_[place]->left = changed->second;
    restore_answers(place, progress.questions[place]);
  }
  for (std::size_t place = last + 1; place < lesson_.steps.size(); ++place)
    for (std::size_t i = 0; i < states_[place].size(); ++i) {
      QuestionProgress& done = progress.questions[place][i];
      done.given.clicked.reset();
      states_[place][i] = {{}, done.tries, done.hints, done.solved};
    }
  results_ = progress.results;
  show(progress.place);
  return StepStart{visits_[place_]->left, visits_[place_]->entered.view};
}

}  // namespace lab::lessons
