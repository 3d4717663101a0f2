#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/lessons/lesson_run.h"
#include "app/lessons/reading/lesson_library.h"

namespace lab::web {

/// A lesson that a page plays: the student's run through it, and what the step shows.
struct LessonSession {
  /// Precondition: the lesson has no mistakes.
  explicit LessonSession(const lessons::OpenedLesson& opened);

  std::string path;
  lessons::LessonRun run;
  lessons::StepView view;                                ///< of the current step
  std::vector<std::vector<lessons::AnswerInput>> given;  ///< by step and question

  /// What is given for a question of the current step. Throws BadInput when there is none.
  lessons::AnswerInput& given_of(std::size_t question);
};

/// The lesson and its current step as JSON, with the live numbers of `live` in its texts.
nlohmann::json describe_lesson(const LessonSession& session, const Snapshot& live);

}  // namespace lab::web
