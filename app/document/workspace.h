#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/document/background_evaluator.h"
#include "app/document/history/history.h"
#include "app/document/history/record.h"

namespace lab {

/// What a widget asks for. Widgets never change the document: they queue intents, which the
/// workspace carries out after all panels are drawn.
namespace intent {
struct Preview {
  Command command;
  Attempt tried = {};  ///< the answer to it, where it was asked for: see History::attempt
};                     ///< show, on every frame of a drag
struct Commit {
  std::string label;
};                 ///< make the preview a step
struct Cancel {};  ///< drop the preview
struct Apply {
  Command command;
  Attempt tried = {};  ///< as in Preview
};                     ///< preview and commit, labelled by command_label
struct ApplyMerged {
  Command command;
  std::string merge_key;
  std::string label = {};
};  ///< see History::commit_merged; the label is command_label's where it is empty
struct Undo {};
struct Redo {};
struct BackTo {
  std::size_t state = 0;
};  ///< undo until History::state_id is this again; nothing when that state is not in the past
struct JumpTo {
  std::size_t state = 0;
};  ///< undo or redo until History::state_id is this; nothing when there is no such state
struct Replace {
  Document document;
  std::string path;
  bool saves_there = true;
};  ///< open another document; the path may be empty (not saved anywhere yet). Without
    ///< `saves_there` the file is more than a session, or another thing: saving asks where
struct Resume {
  std::shared_ptr<const History> history;
  std::string path;
  bool saves_there = true;
  bool begins_saved = false;
};  ///< open another document with the steps that led to it; its first state is what `path` holds
    ///< only when it `begins_saved`
struct SetAside {
  Document document;
};  ///< show `document`, which is nowhere saved, in place of the user's own work, which is kept as
    ///< it is with its steps, and followed no further; nothing but the document is changed when the
    ///< work is set aside already
struct TakeBack {};  ///< show the user's own work again; nothing when it is not set aside
struct NoteState {
  std::shared_ptr<std::size_t> state;
};  ///< put History::state_id there, once all that was asked for before is carried out
struct MarkSaved {
  std::string path;
  std::shared_ptr<const std::size_t> state = nullptr;
};  ///< the state that was noted there is what `path` holds; null: the present state
struct StopEvaluation {
};  ///< give up the edit that is being evaluated, and go back to what is shown
}  // namespace intent

using Intent =
    std::variant<intent::Preview, intent::Commit, intent::Cancel, intent::Apply,
                 intent::ApplyMerged, intent::Undo, intent::Redo, intent::BackTo, intent::JumpTo,
                 intent::Replace, intent::Resume, intent::SetAside, intent::TakeBack,
                 intent::NoteState, intent::MarkSaved, intent::StopEvaluation>;

/// A document with the steps that led to it, and where it is kept.
struct Work {
  History history;
  std::string path = {};                        ///< opened from or saved to; empty: nowhere yet
  bool saves_there = true;                      ///< saving may write over `path`
  std::size_t saved = 0;                        ///< History::state_id of what `path` holds
  int opened = 0;                               ///< how many documents were opened before it
  std::shared_ptr<const Work> aside = nullptr;  ///< the user's own, in whose place this is shown

  /// `path` where saving may write over it; else empty.
  std::string saves_to() const { return saves_there ? path : std::string(); }
  /// True when there are steps since opening or saving.
  bool has_unsaved_steps() const { return history.state_id() != saved; }
};

/// The one place where state changes: history, evaluation, and the record of applied commands.
///
/// What is looked at, document() with its trace(), always belongs together. An evaluation that
/// takes longer than the workspace's patience goes on in the background: document() and trace()
/// stay what they were until it is done, while edited() is ahead of them and can be edited further.
/// The newest edit wins: what it overtook is never shown, unless it is done before.
class Workspace {
 public:
  /// Called with each committed command, undo and redo as one JSON object, without line end. The
  /// undo of a step that merged several commands is that many lines, so that whoever replays the
  /// record with one step for each command ends at the same document.
  using Recorder = std::function<void(const std::string&)>;
  /// Called with the same as soon as it is committed, before it is evaluated; with an empty line
  /// when edited() has become what no command led to: another document, or one that could not be
  /// evaluated was given up.
  using Follower = std::function<void(const RecordLine&)>;

  /// Opens `document`, evaluated. `path` as in intent::Replace.
  /// Precondition: the document's problem is valid (readers of files check it).
  explicit Workspace(Document document, std::string path = {}, bool saves_there = true);

  /// The document that is looked at.
  const Document& document() const { return shown_.history.document(); }
  /// Every stage of document().
  const attention::Trace& trace() const { return trace_; }
  /// The document as last edited, the preview included; ahead of document() while behind().
  const Document& edited() const { return now_.history.document(); }
  /// True while an evaluation goes on in the background.
  bool behind() const { return evaluator_->busy(); }
  /// Share of that evaluation which is done, 0 to 1, and for how long it has been running.
  double progress() const { return evaluator_->progress(); }
  std::chrono::duration<double> behind_for() const { return evaluator_->running_for(); }
  /// What the last evaluation did.
  const EvaluationReport& report() const { return report_; }
  /// Steps that can be undone and redone from edited().
  const History& history() const { return now_.history; }
  /// Where the document was opened from or saved to; empty: nowhere yet.
  const std::string& path() const { return now_.path; }
  /// The same where saving may write over it; else empty.
  std::string saves_to() const { return now_.saves_to(); }
  /// True when there are changes since opening or saving.
  bool modified() const { return has_unsaved_steps() || history().previewing(); }
  /// The same, a preview left aside.
  bool has_unsaved_steps() const { return now_.has_unsaved_steps(); }
  /// History::state_id of what path() holds; a number that no state has when none is.
  std::size_t saved_state() const { return now_.saved; }
  /// True while the user's own work is set aside (intent::SetAside).
  bool sets_aside() const { return now_.aside != nullptr; }
  /// The user's own work: what is edited, or what is set aside for it.
  const Work& own() const { return now_.aside ? *now_.aside : now_; }
  /// How many documents were opened before document(), by intent::Replace, Resume, SetAside or
  /// TakeBack.
  int opened() const { return shown_.opened; }
  /// The message of the last intent that failed in the last drain, or of the evaluation that
  /// failed since; empty when none did.
  const std::string& message() const { return message_; }

  /// Puts an intent at the end of the queue.
  void queue(Intent intent) { queue_.push_back(std::move(intent)); }
  /// Carries out all that is queued, in order, and brings the trace up to date once, or begins to.
  /// Returns true when anything was queued. A failed intent leaves everything as it was and sets
  /// message(). When the document cannot be evaluated, everything goes back to what is shown.
  bool drain();
  /// Shows what the evaluation in the background has come to, if it has ended, and begins with what
  /// was edited since. Returns true when anything changed.
  bool settle();
  /// How long drain() waits for an evaluation before it goes on without (0: not even for one that
  /// is done at once), and who is then told,
  /// from another thread, that settle() should be called. Unless set, drain() waits for the end.
  void set_patience(std::chrono::milliseconds patience, std::function<void()> told);
  /// Stops what goes on in the background, goes back to what is shown, and waits for every
  /// evaluation from here on. Nobody is told any more once this returns.
  void stop_background();
  /// Sets who is told of applied commands, once they are evaluated: of those to the user's own
  /// work.
  void set_recorder(Recorder recorder) { recorder_ = std::move(recorder); }
  /// Sets who is told of commands as they are committed: of those to the user's own work.
  void set_follower(Follower follower) { follower_ = std::move(follower); }

 private:
  Expected<void> carry_out(const intent::Preview& wanted);
  Expected<void> carry_out(const intent::Commit& wanted);
  Expected<void> carry_out(const intent::Cancel& wanted);
  Expected<void> carry_out(const intent::Apply& wanted);
  Expected<void> carry_out(const intent::ApplyMerged& wanted);
  Expected<void> carry_out(const intent::Undo& wanted);
  Expected<void> carry_out(const intent::Redo& wanted);
  Expected<void> carry_out(const intent::BackTo& wanted);
  Expected<void> carry_out(const intent::JumpTo& wanted);
  Expected<void> carry_out(const intent::Replace& wanted);
  Expected<void> carry_out(const intent::Resume& wanted);
  Expected<void> carry_out(const intent::SetAside& wanted);
  Expected<void> carry_out(const intent::TakeBack& wanted);
  Expected<void> carry_out(const intent::NoteState& wanted);
  Expected<void> carry_out(const intent::MarkSaved& wanted);
  Expected<void> carry_out(const intent::StopEvaluation& wanted);
  void open(Work work, std::shared_ptr<const Work> aside);
  void carry_out_or_explain(const Intent& wanted);
  void note(const std::optional<Command>& committed);
  void note(const RecordLine& line);
  void note_break();
  void catch_up();
  void evaluate_now();
  void evaluate_aside();
  void show(const Work& work);
  void go_back();

  Work now_;                     // as edited
  Work shown_;                   // as evaluated last
  std::optional<Work> running_;  // as being evaluated in the background
  attention::Trace trace_;
  std::unique_ptr<BackgroundEvaluator> evaluator_;  // its threads keep it where it is
  std::optional<std::chrono::milliseconds> patience_;
  std::function<void()> told_;
  EvaluationReport report_;
  std::string message_;
  std::vector<Intent> queue_;
  std::vector<std::string> lines_;  // for the recorder, once what they say is shown
  Recorder recorder_;
  Follower follower_;
};

}  // namespace lab
