#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/files/session/session_view.h"
#include "app/lessons/lesson_run.h"
#include "app/lessons/lessons_done.h"
#include "app/view/state/compare_state.h"

namespace lab::view {

struct LostWork;  // recovery_actions.h

/// The state of the window when a lesson was opened, which is restored when it is left.
struct OutsideLesson {
  files::SessionView view;
  std::optional<std::int64_t> file_change;  ///< see ViewState::file_change
  CompareState compare;
};

/// The lesson that is open in the window.
struct LessonState {
  std::shared_ptr<lessons::LessonRun> run;  ///< null: none is open
  std::string path;                         ///< of its file
  Language language = Language::kEnglish;   ///< of the window when it was opened or translated
  std::size_t begin_at = 0;                 ///< the step, from 0, at which the next lesson is
                                            ///< opened
  OutsideLesson outside;
  lessons::StepView view;  ///< how the step wants the window to look
  bool begins = false;     ///< the step's view has not been applied yet
  bool finished = false;   ///< the end after the last step is shown
  /// What the student has chosen, typed and clicked, by step and question.
  std::vector<std::vector<lessons::AnswerInput>> given;
  std::optional<StageCell> seen;  ///< the cell that was selected in the last frame
  bool answers_shown = false;     ///< while presenting: the answers to the step's questions are
                                  ///< shown
  bool leads = false;             ///< the keyboard goes to the first question that is not solved
  std::string lead_to;            ///< the field of that question, until it has the keyboard
  int begun = 0;                  ///< frames for which a step that begins still shows its beginning
  bool lead_scrolls = false;      ///< the text scrolls to that field; otherwise it only gets the
                                  ///< keyboard if the beginning of the step shows it
  /// Heights of the last replies to the step's questions. A reply leaves its room empty while the
  /// answer is changed, so that nothing moves under the pointer.
  std::map<std::size_t, float> reply_room;
  bool more_above = false, more_below = false;  ///< its text can be scrolled there
  bool unsaved = false;                         ///< some answers are not saved in any file
  std::shared_ptr<LostWork> recovered;  ///< whose answers these were, until they are kept again
  bool offered = false;                 ///< the first lesson is offered to a new user
};

}  // namespace lab::view
