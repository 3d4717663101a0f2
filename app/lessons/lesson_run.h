#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "app/lessons/answers/answer.h"
#include "app/lessons/lesson_steps.h"

namespace lab::lessons {

/// How a student stands to a question.
struct QuestionState {
  std::optional<Judgement> judgement;  ///< of the last answer
  int tries = 0;                       ///< answers that were judged
  int hints = 0;                       ///< hints that were given, the arithmetic included
  bool solved = false;                 ///< it was answered rightly once, or words were written
};

/// A student's way through a lesson. Holds no document but those of steps that were left; nothing
/// of it is ever sent anywhere.
class LessonRun {
 public:
  using Time = std::chrono::system_clock::time_point;
  using Entered = tl::expected<StepStart, LessonProblem>;

  /// `folder` is where the lesson lies. Precondition: the lesson has a step.
  LessonRun(Lesson lesson, std::string folder);
  LessonRun(const LessonRun&) = delete;  // it points into its own lesson
  LessonRun& operator=(const LessonRun&) = delete;

  /// The lesson that is run.
  const Lesson& lesson() const { return lesson_; }
  /// The step that is shown, counted from 0.
  std::size_t place() const { return place_; }
  /// The present step.
  const Step& step() const { return lesson_.steps[place_]; }
  /// The questions of the present step.
  const std::vector<const Question*>& questions() const { return questions_; }
  /// The state of one of them.
  const QuestionState& state(std::size_t question) const { return states_[place_][question]; }
  /// The number of questions in the lesson.
  std::size_t question_count() const;
  /// How many of them are solved.
  std::size_t solved_count() const;
  /// The step and the number, from 0, of each question that is not solved.
  std::vector<std::pair<std::size_t, std::size_t>> open_questions() const;

  /// Enters the first step. Fails, as go_to() does, with the line that is wrong.
  Entered begin();
  /// Leaves the step with its document as it is `now`, and enters another. One that was entered
  /// before is as it was left; one that was not begins with what the step before it left, and steps
  /// that are jumped over are carried out on the way. After a failure the step is the same.
  /// Preconditions: begin() has succeeded, and `place` is a step of the lesson.
  Entered go_to(std::size_t place, const Document& now);
  /// The step as it began.
  const StepStart& start() const { return starts_[place_]->entered; }

  /// Judges an answer, and takes note of it with the time. Fails as judge() does.
  Expected<Judgement> answer(std::size_t question, const Given& given, const Snapshot& live,
                             Time now);
  /// The answer is being changed: what was said to the last one is said no more, unless the
  /// question is solved.
  void withdraw(std::size_t question);
  /// Gives the next hint: true when there was one that had not been given.
  bool give_hint(std::size_t question, const Snapshot& live);
  /// True when give_hint() would give one.
  bool has_hint(std::size_t question, const Snapshot& live) const;

  /// The answers in the order in which they were given, as CSV with a heading: time (UTC), step,
  /// its title, question, kind, answer, verdict, hints that had been given.
  std::string results_csv() const;

 private:
  struct Visit {
    StepStart entered;  // as it began
    Document left;      // as it was left
  };
  struct Result {
    Time time;
    std::size_t step = 0, question = 0;
    std::string answer;
    Verdict verdict{};
    int hints = 0;
  };

  Entered enter(std::size_t place, const Document& before);
  void show(std::size_t place);

  Lesson lesson_;
  std::string folder_;
  std::size_t place_ = 0;
  std::vector<const Question*> questions_;
  std::vector<std::vector<QuestionState>> states_;  // of every question of every step
  std::vector<std::optional<Visit>> starts_;        // of every step that was entered
  std::vector<Result> results_;
};

/// What was given, in words: "0.52", "at animal", "weights[1, it, animal]".
std::string given_text(const Question& question, const Given& given, const Snapshot& live);

}  // namespace lab::lessons
