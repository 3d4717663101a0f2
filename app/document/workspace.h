#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/document/arrays/shown_arrays.h"
#include "app/document/background_evaluator.h"
#include "app/document/history/history.h"

namespace lab {

/// Requests from widgets. Widgets never change the document: they queue intents, which the
/// workspace executes after all panels are drawn.
namespace intent {
/// Show the result of the command, on every frame of a drag.
struct Preview {
  Command command;
  Attempt dry_run = {};  ///< its result if it was tried before, see Workspace::attempt
};
/// Make the preview a step.
struct Commit {
  StepLabel label = {};  ///< empty: the step is named by its command
};
/// Discard the preview.
struct Cancel {};
/// Preview and commit; the step is named by its command unless it has a label.
struct Apply {
  Command command;
  Attempt dry_run = {};  ///< as in Preview
  /// Of a trained model: the layer that is edited; unset: the shown one.
  std::optional<attention::network::LayerId> layer = {};
  StepLabel label = {};
  /// Edits of several heads at once are one step; empty: this one is a separate step. See
  /// History::commit_merged.
  std::string merge_key = {};
};
/// See History::commit_merged.
struct ApplyMerged {
  Command command;
  std::string merge_key;
  StepLabel label = {};
};
struct Undo {};
struct Redo {};
/// Undo until History::state_id is this again; does nothing when that state is not in the past.
struct BackTo {
  std::size_t state = 0;
};
/// Undo or redo until History::state_id is this; does nothing when there is no such state.
struct JumpTo {
  std::size_t state = 0;
};
/// Open another document; the path may be empty (not saved anywhere yet). Without `saves_there` the
/// file is more than a session, or not one at all, and saving asks for a path.
struct Replace {
  Document document;
  std::string path;
  bool saves_there = true;
  std::shared_ptr<const ShownArrays> arrays = nullptr;  ///< that it was made from, if any
};
/// Show new numbers of the arrays that the user's own work was made from, with its edits (see
/// Rebase); does nothing when it was made from others, or shows another layer of them.
struct UpdateArrays {
  std::shared_ptr<const ShownArrays> arrays;
};
/// Show another layer of the arrays that the document was made from, with the edits that it has.
/// `base` is that layer as it was given. Does nothing when the document is not of arrays.
struct ShowArrayLayer {
  int layer = 0;
  std::shared_ptr<const Document> base;
};
/// Open another document with its history; its first state is what `path` holds only with
/// `begins_saved`.
struct Resume {
  std::shared_ptr<const History> history;
  std::string path;
  bool saves_there = true;
  bool begins_saved = false;
};
/// Show `document`, which is not saved anywhere, in place of the user's own work, which is kept
/// unchanged with its history; edits of `document` are not recorded. When the work is already
/// suspended, only the document is replaced.
struct SuspendWork {
  Document document;
};
/// Restore the user's own work; does nothing when it is not suspended.
struct RestoreWork {};
/// Store History::state_id there, after all earlier intents were executed. No step grows beyond
/// that state.
struct NoteState {
  std::shared_ptr<std::size_t> state;
};
/// The state that was noted there is what `path` holds; null: the current state.
struct MarkSaved {
  std::string path;
  std::shared_ptr<const std::size_t> state = nullptr;
};
/// Show another layer of the trained model; the nearest one if it has no such. No edit: never
/// undone or recorded.
struct GoToLayer {
  attention::network::LayerId layer;
};
/// Abandon the edit that is being evaluated, and return to what is shown.
struct StopEvaluation {};
}  // namespace intent

using Intent =
    std::variant<intent::Preview, intent::Commit, intent::Cancel, intent::Apply,
                 intent::ApplyMerged, intent::Undo, intent::Redo, intent::BackTo, intent::JumpTo,
                 intent::Replace, intent::UpdateArrays, intent::ShowArrayLayer, intent::Resume,
                 intent::SuspendWork, intent::RestoreWork, intent::NoteState, intent::MarkSaved,
                 intent::GoToLayer, intent::StopEvaluation>;

/// A History::state_id that no state has.
inline constexpr std::size_t kNoState = static_cast<std::size_t>(-1);

/// A document with its history, and the file it is kept in.
struct Work {
  History history;
  std::string path = {};    ///< opened from or saved to; empty: nowhere yet
  bool saves_there = true;  ///< saving may overwrite `path`
  std::size_t saved = 0;    ///< History::state_id of what `path` holds
  /// The same of states that show another sentence of what it holds.
  std::vector<std::size_t> saved_too = {};
  int opened = 0;  ///< the number of documents opened before it
  /// The layer of a trained model that is shown; unset: that of the document.
  std::optional<attention::network::LayerId> go_to = {};
  std::shared_ptr<const Work> suspended = nullptr;  ///< the user's own work, while this is shown
                                                    ///< instead
  std::shared_ptr<const ShownArrays> arrays = nullptr;  ///< that it was made from, if any

  /// `path` when saving may overwrite it; otherwise empty.
  std::string saves_to() const { return saves_there ? path : std::string(); }
  /// True when there are steps since opening or saving, of edits or of training.
  bool has_unsaved_steps() const;
};

/// The one place where state changes: history, evaluation, and the record of applied commands.
///
/// What is shown, document() and its trace(), is always consistent. An evaluation that takes longer
/// than the sync timeout continues in the background: document() and trace() do not change
/// until it is done, while edited() is ahead of them and can be edited further. The newest edit
/// wins: an evaluation that it supersedes is only shown if it finishes first.
class Workspace {
 public:
  /// Called with each committed command, undo and redo as one JSON object, without line end. The
  /// undo of a step that merged several commands is that many lines, so that replaying the record
  /// with one step per command (History::for_replay) ends at the same document.
  using Recorder = std::function<void(const std::string&)>;
  /// Called with the same line as soon as it is committed, before it is evaluated; with an empty
  /// line when edited() changed without a command: another document was opened, or an edit was
  /// abandoned because it could not be evaluated.
  using Follower = std::function<void(const RecordLine&)>;

  /// Opens and evaluates `document`. `path` as in intent::Replace. Precondition: the document's
  /// problem is valid (readers of files check it).
  explicit Workspace(Document document, std::string path = {}, bool saves_there = true);
  /// The same for a history, as History::for_replay makes it.
  explicit Workspace(History history, std::string path = {}, bool saves_there = true);

  /// The document that is shown.
  const Document& document() const {
    return shown_at_layer_ ? *shown_at_layer_ : shown_.history.document();
  }
  /// Every stage of document().
  const attention::Trace& trace() const { return trace_; }
  /// The forward pass of the trained model that document() is a layer of; null when it is none.
  const SharedNetworkTrace& network_trace() const { return network_trace_; }
  /// The document as last edited, the preview included; ahead of document() while behind().
  const Document& edited() const {
    return now_at_layer_ ? *now_at_layer_ : now_.history.document();
  }
  /// The result of `command` on the committed state of edited(), without changing anything; fails
  /// as apply() does. `layer` as in intent::Apply.
  Expected<Attempt> attempt(const Command& command,
                            const std::optional<attention::network::LayerId>& layer = {}) const;
  /// True while an evaluation is running in the background.
  bool behind() const { return evaluator_->busy(); }
  /// The fraction of that evaluation that is done, 0 to 1, and how long it has been running.
  double progress() const { return evaluator_->progress(); }
  /// How long the evaluation in the background has been running.
  std::chrono::duration<double> behind_for() const { return evaluator_->running_for(); }
  /// The report of the last evaluation.
  const EvaluationReport& report() const { return report_; }
  /// Steps that can be undone and redone from edited().
  const History& history() const { return now_.history; }
  /// Where the document was opened from or saved to; empty: nowhere yet.
  const std::string& path() const { return now_.path; }
  /// The same when saving may overwrite it; otherwise empty.
  std::string saves_to() const { return now_.saves_to(); }
  /// True when there are changes since opening or saving.
  bool modified() const { return has_unsaved_steps() || history().previewing(); }
  /// The same, ignoring a preview.
  bool has_unsaved_steps() const { return now_.has_unsaved_steps(); }
  /// History::state_id of what path() holds; a number that no state has when it holds none of them.
  std::size_t saved_state() const { return now_.saved; }
  /// True while the user's own work is suspended (intent::SuspendWork).
  bool work_suspended() const { return now_.suspended != nullptr; }
  /// The user's own work: what is edited, or what is suspended meanwhile.
  const Work& own() const { return now_.suspended ? *now_.suspended : now_; }
  /// The arrays of another program that document() was made from; null when it was not.
  const std::shared_ptr<const ShownArrays>& arrays() const { return shown_.arrays; }
  /// The number of documents opened before document(), by intent::Replace, Resume, SuspendWork or
  /// RestoreWork.
  int opened() const { return shown_.opened; }
  /// The message of the last intent that failed in the last drain, or of the evaluation that
  /// failed since; empty when none did.
  const std::string& message() const { return message_; }

  /// The line that records `command`, which is or was just previewed: in a trained model it names
  /// the layer.
  std::string record_line(const Command& command) const;

  /// Appends an intent to the queue.
  void queue(Intent intent) { queue_.push_back(std::move(intent)); }
  /// Executes all queued intents in order and then updates the trace once, or starts to. Returns
  /// true when anything was queued. A failed intent changes nothing and sets message(). When the
  /// document cannot be evaluated, everything returns to what is shown.
  bool drain();
  /// Shows the result of the background evaluation, if it has finished, and starts evaluating what
  /// was edited since. Returns true when anything changed.
  bool settle();
  /// Sets how long drain() waits for an evaluation before leaving it in the background (0: not at
  /// all, even if it finishes at once), and a callback that then runs on another thread when
  /// settle() should be called. Unless set, drain() waits for the end.
  void set_sync_timeout(std::chrono::milliseconds sync_timeout, std::function<void()> on_ready);
  /// Stops the background evaluation, returns to what is shown, and makes all later evaluations
  /// synchronous. After this returns the callback is no longer called.
  void stop_background();
  /// Sets the callback for applied commands, called once they are evaluated; only for commands on
  /// the user's own work.
  void set_recorder(Recorder recorder) { recorder_ = std::move(recorder); }
  /// Sets the callback for commands, called as they are committed; only for those on the user's own
  /// work.
  void set_follower(Follower follower) { follower_ = std::move(follower); }

 private:
  Expected<void> execute(const intent::Preview& requested);
  Expected<void> execute(const intent::Commit& requested);
  Expected<void> execute(const intent::Cancel& requested);
  Expected<void> execute(const intent::Apply& requested);
  Expected<void> execute(const intent::ApplyMerged& requested);
  Expected<void> execute(const intent::Undo& requested);
  Expected<void> execute(const intent::Redo& requested);
  Expected<void> execute(const intent::BackTo& requested);
  Expected<void> execute(const intent::JumpTo& requested);
  Expected<void> execute(const intent::Replace& requested);
  Expected<void> execute(const intent::UpdateArrays& requested);
  Expected<void> execute(const intent::ShowArrayLayer& requested);
  Expected<void> execute(const intent::Resume& requested);
  Expected<void> execute(const intent::SuspendWork& requested);
  Expected<void> execute(const intent::RestoreWork& requested);
  Expected<void> execute(const intent::NoteState& requested);
  Expected<void> execute(const intent::MarkSaved& requested);
  Expected<void> execute(const intent::GoToLayer& requested);
  Expected<void> execute(const intent::StopEvaluation& requested);
  Expected<void> preview(const Command& command, const Attempt& dry_run,
                         const std::optional<attention::network::LayerId>& layer);
  void open(Work work, std::shared_ptr<const Work> suspended);
  void execute_or_explain(const Intent& requested);
  void note(const std::optional<Command>& committed);
  void note(const RecordLine& line);
  void note_break();
  void catch_up();
  void evaluate_now();
  void evaluate_in_background();
  void look();
  void take_results(const Evaluation& done);
  void show(const Work& work, const std::shared_ptr<const Document>& at_layer);
  void go_back();

  Work now_;                     // as edited
  Work shown_;                   // as evaluated last
  std::optional<Work> running_;  // as being evaluated in the background
  // Of a layer of a trained model: each of these at the current layer, and the committed
  // state that edits begin with.
  std::shared_ptr<const Document> now_at_layer_, shown_at_layer_, running_at_layer_,
      committed_at_layer_;
  std::optional<attention::network::LayerId> edited_layer_;  // of the preview, see intent::Apply
  attention::Trace trace_;
  SharedNetworkTrace network_trace_;
  std::unique_ptr<BackgroundEvaluator> evaluator_;  // on the heap, because its threads refer to it
  std::optional<std::chrono::milliseconds> sync_timeout_;
  std::function<void()> on_ready_;
  EvaluationReport report_;
  std::string message_;
  std::vector<Intent> queue_;
  std::vector<std::string> lines_;  // for the recorder, pending until their effect is shown
  Recorder recorder_;
  Follower follower_;
};

}  // namespace lab
