#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/document/workspace.h"
#include "app/files/journal/journal_writer.h"
#include "app/view/state/view_state.h"

namespace lab::shell {

/// Keeps what a workspace would lose in a crash in a journal on disk, for as long as there is
/// something: from the first edit after opening or saving, to the next time that it is saved, or
/// undone to what was saved.
class JournalKeeper {
 public:
  /// A journal is begun anew, from the document as it is, when it has grown by so much.
  static constexpr std::size_t kMostLines = 1000;
  static constexpr std::size_t kMostBytes = std::size_t{8} << 20;

  /// Follows `workspace`, which must outlive this, and keeps its journal in `folder`; empty: there
  /// is no such folder. `told` hears, on another thread, when keep() has something to say.
  JournalKeeper(Workspace& workspace, const std::string& folder, std::function<void()> told);
  /// The journal stays where there is something to lose.
  ~JournalKeeper();
  JournalKeeper(const JournalKeeper&) = delete;
  JournalKeeper& operator=(const JournalKeeper&) = delete;

  /// To be called after each frame: sends what was done since to the disk, without waiting for it.
  /// When edits cannot be kept it says so in state.error, once, and in state.recovery.edits_kept
  /// for as long as it is so. What was restored from another journal (state.recovery) is kept in
  /// this one before the other is removed.
  void keep(view::ViewState& state);
  /// Waits until the disk has everything, or has refused it.
  void wait();
  /// Removes the journal: the window is closed and whatever is not saved was given up.
  void finish();

 private:
  void follow();
  void begin_anew(std::function<void()> then = {});
  void write_on(std::vector<RecordLine> lines);
  bool leads_on(const std::vector<RecordLine>& lines);
  void take_over(view::ViewState& state);
  files::JournalHead head(std::size_t edits) const;

  Workspace& workspace_;
  std::string problem_;  // why there is no writer, until it is said
  std::unique_ptr<files::JournalWriter> writer_;

  // Heard since the last frame.
  std::vector<RecordLine> lines_;
  bool broken_ = false;  // the lines do not lead from the document of that frame to this one

  // As of the last frame.
  std::size_t saved_ = 0;
  std::string path_;
  Document clean_;  // the document when there was nothing to lose, the last time
  bool begun_ = false;

  // What the journal on disk has: how many commands are carried out and taken back in it, its
  // length.
  std::size_t done_ = 0, undone_ = 0, count_ = 0, bytes_ = 0;
};

}  // namespace lab::shell
