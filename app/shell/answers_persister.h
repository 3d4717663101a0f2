#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "app/document/workspace.h"
#include "app/files/journal/journal_writer.h"
#include "app/view/state/view_state.h"

namespace lab::shell {

/// Keeps what a student has done in the open lesson on disk, from the first answer or edit until
/// the answers are saved or the lesson is left.
class AnswersPersister {
 public:
  /// Call this after each frame: sends what has changed to `writer`. Answers restored from another
  /// window are stored there before those are removed.
  void keep(view::ViewState& state, const Workspace& workspace, files::JournalWriter& writer);
  /// True when something is kept.
  bool keeps() const { return kept_.has_value(); }

 private:
  // What was kept last.
  struct Kept {
    std::shared_ptr<const lessons::LessonRun> run;
    std::size_t changes = 0;
    std::vector<std::vector<lessons::AnswerInput>> inputs;
    Document document;
  };
  bool is_kept(const view::LessonState& lesson, const Document& document) const;

  static constexpr std::chrono::milliseconds kBetweenSteps{2000};  // of training

  std::optional<Kept> kept_;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace lab::shell
