#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "app/lessons/answers/answer.h"
#include "app/lessons/lesson_progress.h"
#include "app/lessons/lesson_steps.h"

namespace lab::lessons {

/// A student's progress on one question.
struct QuestionState {
  std::optional<Judgement> judgement;  ///< judgement of the last answer
  int tries = 0;                       ///< number of answers judged
  int hints = 0;                       ///< number of hints shown, including the arithmetic
  bool solved = false;                 ///< answered correctly once, or text was written
};

/// A student's progress through a lesson. Keeps copies of the document only for the steps visited.
/// Nothing is ever sent anywhere.
class LessonRun {
 public:
  using Time = std::chrono::system_clock::time_point;
  using Entered = tl::expected<StepStart, LessonProblem>;

  /// `folder` is the folder of the lesson file. Precondition: the lesson has a step.
  LessonRun(Lesson lesson, std::string folder);
  LessonRun(const LessonRun&) = delete;  // holds pointers into its lesson
  LessonRun& operator=(const LessonRun&) = delete;

  /// The lesson.
  const Lesson& lesson() const { return lesson_; }
  /// The index of the current step, from 0.
  std::size_t step_index() const { return step_index_; }
  /// The current step.
  const Step& step() const { return lesson_.steps[step_index_]; }
  /// The questions of the current step.
  const std::vector<const Question*>& questions() const { return questions_; }
  /// The progress on a question of the current step.
  const QuestionState& state(std::size_t question) const { return states_[step_index_][question]; }
  /// The number of questions in the lesson.
  std::size_t question_count() const;
  /// True once there was an answer that results_csv() lists.
  bool has_answers() const { return !results_.empty(); }
  /// The number of questions that are solved: answered correctly once, or with a text.
  std::size_t solved_count() const;
  /// The step and the question index, both from 0, of each question that is not solved.
  std::vector<std::pair<std::size_t, std::size_t>> open_questions() const;

  /// Enters the first step. Fails like go_to(), with the line of the directive that failed.
  Entered begin();
  /// Saves `now` as the document of the current step and enters another step. A step that was
  /// visited before is restored as it was left; a new one starts from the document that the
  /// previous step left. Skipped steps are applied on the way. If this fails, the current step does
  /// not change. Preconditions: begin() succeeded, and `step_index` is a step of the lesson.
  Entered go_to(std::size_t step_index, const Document& now);
  /// Continues where `progress` ends, instead of begin(). Fails like go_to(); also, with line 1,
  /// when the questions of the lesson are others. Removes from `progress` clicked cells that no
  /// longer exist.
  Entered resume(LessonProgress& progress);
  /// Begins the current step again: forgets its answers and hints, but not those in the table of
  /// results. Returns the step as it began.
  const StepStart& reset_step();
  /// Grows with every answer, hint and step.
  std::size_t changes() const { return changes_; }
  /// True when the document of the current step, `now`, or that of a step that was left is not as
  /// its step began.
  bool is_edited(const Document& now) const;
  /// Everything that was done so far; `now` is the document of the current step, `input` what the
  /// student has chosen, typed and clicked. Without the path of the lesson.
  LessonProgress progress(const Document& now,
                          const std::vector<std::vector<AnswerInput>>& input) const;

  /// Takes over the answers and the progress of a run through the same lesson in another language;
  /// `input` is what the student has chosen, typed and clicked. Verdicts are repeated in the
  /// current language. Has no effect if that asks other questions.
  void continue_from(const LessonRun& other, const std::vector<std::vector<AnswerInput>>& input);

  /// Judges an answer and records it with the time. Fails like judge().
  Expected<Judgement> answer(std::size_t question, const AnswerInput& input, const Snapshot& live,
                             Time now);
  /// Discards the judgement of the last answer because the answer is being changed. Has no effect
  /// if the question is solved, except for text: what was written before is not an answer any more.
  void withdraw(std::size_t question);
  /// Shows the next hint. Returns false if all hints were shown already.
  bool give_hint(std::size_t question, const Snapshot& live);
  /// True if give_hint() would show another hint.
  bool has_hint(std::size_t question, const Snapshot& live) const;

  /// All recorded answers in order, of a text only the last, as CSV with a header: title of the
  /// lesson, `student`, time (UTC), step, title of the step, question, kind, answer, verdict,
  /// number of hints shown before it, or after it if it is the last answer and wrong.
  std::string results_csv(const std::string& student = {}) const;

 private:
  bool waits_for_edit(std::size_t question, const Snapshot& live) const;

  struct Visit {
    StepStart entered;  // as it began
    Document left;      // as it was left
  };

  std::vector<AnswerRecord> results() const;  // with the hints after the last answers
  Expected<void> check_fits(const LessonProgress& progress) const;
  void restore_answers(std::size_t index, std::vector<QuestionProgress>& questions);
  Entered enter(std::size_t step_index, const Document& before);
  void show(std::size_t index);
  void forget_text(std::size_t question);
  void judge_again(std::size_t step_index, const std::vector<AnswerInput>& input);

  Lesson lesson_;
  std::string folder_;
  std::size_t step_index_ = 0;
  std::vector<const Question*> questions_;
  std::vector<std::vector<QuestionState>> states_;  // for each question of each step
  std::vector<std::optional<Visit>> visits_;        // for each step; empty if not visited
  std::vector<AnswerRecord> results_;
  std::size_t changes_ = 0;
};

/// An answer as text: "0.52", "at animal", "weights[1, it, animal]".
std::string input_text(const Question& question, const AnswerInput& input, const Snapshot& live);

}  // namespace lab::lessons
