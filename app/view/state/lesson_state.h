#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/files/session/session_view.h"
#include "app/lessons/lesson_run.h"
#include "app/view/state/compare_state.h"

namespace lab::view {

/// How the window stood when a lesson was opened: leaving it brings that back.
struct OutsideLesson {
  files::SessionView view;
  std::optional<std::int64_t> file_change;  ///< see ViewState::file_change
  CompareState compare;
};

/// The lesson that is open in the window.
struct LessonState {
  std::shared_ptr<lessons::LessonRun> run;  ///< null: none is
  std::string path;                         ///< of its file
  std::size_t begin_at = 0;                 ///< the step, from 0, that the next lesson is opened at
  OutsideLesson outside;
  lessons::StepView view;  ///< what the step asks of the window
  bool begins = false;     ///< the step's view is yet to be shown
  bool finished = false;   ///< what stands behind the last step is shown
  /// What the student has chosen, typed and clicked, by step and question.
  std::vector<std::vector<lessons::Given>> given;
  std::optional<StageCell> seen;  ///< the cell that was selected in the last frame
  bool answers_shown = false;     ///< while presenting: the answers to the step's questions are
  bool unsaved = false;           ///< answers were given that are in no file
  bool offered = false;           ///< the first lesson is offered to a new user
};

}  // namespace lab::view
