#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/document/workspace.h"
#include "app/files/journal/journal_writer.h"
#include "app/shell/answers_persister.h"
#include "app/view/state/view_state.h"

namespace lab::shell {

/// Keeps the edits that a crash would lose in a journal on disk: from the first edit after opening
/// or saving, also one that is only previewed because its drag is not released yet, until the
/// document is saved or undone to what was saved. Pins are kept with them, and the rest of the view
/// as it was at the last edit or pin.
class JournalPersister {
 public:
  /// A journal is started anew, from the current document, when it exceeds these sizes.
  static constexpr std::size_t kMostLines = 1000;
  static constexpr std::size_t kMostBytes = std::size_t{8} << 20;

  /// Follows `workspace`, which must outlive this, and keeps its journal in `folder`; empty when
  /// there is no such folder. Calls `on_problem` on another thread when keep() has a problem to
  /// report.
  JournalPersister(Workspace& workspace, const std::string& folder,
                   std::function<void()> on_problem);
  /// Keeps the journal on disk if there is something to lose.
  ~JournalPersister();
  /// Can be neither copied nor moved.
  JournalPersister(const JournalPersister&) = delete;
  JournalPersister& operator=(const JournalPersister&) = delete;

  /// Call this after each frame: sends the new edits to the disk without waiting for it. When edits
  /// cannot be kept, this is reported once in state.error, and in state.recovery.edits_kept for as
  /// long as it lasts. Work restored from another journal (state.recovery) is stored in this
  /// journal before the other is removed.
  void keep(view::ViewState& state);
  /// Waits until everything is on disk or has failed.
  void wait();
  /// True when a crash now would lose something.
  bool keeps_something() const;
  /// Removes the journal: the window is closed and unsaved work was discarded.
  void finish();

 private:
  void follow(const files::SessionView& view);
  void keep_view(const files::SessionView& view);
  void begin_anew(std::function<void()> then = {});
  void write_on(std::vector<RecordLine> lines);
  bool leads_on(const std::vector<RecordLine>& lines);
  void take_over(view::ViewState& state);
  files::JournalHead head(std::size_t edits) const;

  Workspace& workspace_;
  std::string problem_;  // why there is no writer, until it is reported
  std::unique_ptr<files::JournalWriter> writer_;

  AnswersPersister answers_;

  // Received since the last frame.
  std::vector<RecordLine> lines_;
  bool broken_ = false;  // the lines do not lead from the document of that frame to this one

  // As of the last frame.
  std::size_t saved_ = 0;
  std::string path_;
  Document clean_;  // the document when there was nothing to lose, the last time
  bool begun_ = false;
  std::optional<files::SessionView> view_;     // the one in the journal
  std::shared_ptr<const Document> previewed_;  // what is kept of a preview; null: none

  // The content of the journal on disk: the number of its commands that are done and undone, and
  // its length.
  std::size_t done_ = 0, undone_ = 0, count_ = 0, bytes_ = 0;
};

}  // namespace lab::shell
