#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/document/history.h"
#include "core/evaluator.h"

namespace lab {

/// What a widget asks for. Widgets never change the document: they queue intents, which the
/// workspace carries out after all panels are drawn.
namespace intent {
struct Preview {
  Command command;
};  ///< show, on every frame of a drag
struct Commit {
  std::string label;
};                 ///< make the preview a step
struct Cancel {};  ///< drop the preview
struct Apply {
  Command command;
};  ///< preview and commit, labelled by command_label
struct ApplyMerged {
  Command command;
  std::string merge_key;
};  ///< see History::commit_merged
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
};  ///< open another document; the path may
    ///< be empty (not saved anywhere yet)
struct MarkSaved {
  std::string path;
};  ///< the present state is what `path` holds
}  // namespace intent

using Intent = std::variant<intent::Preview, intent::Commit, intent::Cancel, intent::Apply,
                            intent::ApplyMerged, intent::Undo, intent::Redo, intent::BackTo,
                            intent::JumpTo, intent::Replace, intent::MarkSaved>;

/// How the last evaluation went.
struct EvaluationReport {
  attention::Recomputed recomputed;
  double microseconds = 0;
};

/// The one place where state changes: history, evaluation, and the record of applied commands.
class Workspace {
 public:
  /// Called with each committed command, undo and redo as one JSON object, without line end. The
  /// undo of a step that merged several commands is that many lines, so that whoever replays the
  /// record with one step for each command ends at the same document.
  using Recorder = std::function<void(const std::string&)>;

  /// Opens `document`, evaluated. `path` as in intent::Replace.
  /// Precondition: the document's problem is valid (readers of files check it).
  explicit Workspace(Document document, std::string path = {});

  /// The document that is looked at, the preview included.
  const Document& document() const { return history_.document(); }
  /// Every stage of document().
  const attention::Trace& trace() const { return evaluator_->trace(); }
  /// What the last evaluation did.
  const EvaluationReport& report() const { return report_; }
  /// Steps that can be undone and redone.
  const History& history() const { return history_; }
  /// Where the document was opened from or saved to; empty: nowhere yet.
  const std::string& path() const { return path_; }
  /// True when there are changes since opening or saving.
  bool modified() const { return history_.state_id() != saved_state_ || history_.previewing(); }
  /// The message of the last intent that failed in the last drain; empty when none did.
  const std::string& message() const { return message_; }

  /// Puts an intent at the end of the queue.
  void queue(Intent intent) { queue_.push_back(std::move(intent)); }
  /// Carries out all that is queued, in order, and brings the trace up to date once. Returns true
  /// when anything was queued. A failed intent leaves everything as it was and sets message(). When
  /// the document cannot be evaluated, everything goes back to where it was before the drain.
  bool drain();
  /// Sets who is told of applied commands.
  void set_recorder(Recorder recorder) { recorder_ = std::move(recorder); }

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
  Expected<void> carry_out(const intent::MarkSaved& wanted);
  void carry_out_or_explain(const Intent& wanted);
  void note(const std::optional<Command>& committed);
  void evaluate();

  History history_;
  std::unique_ptr<attention::Evaluator> evaluator_;  // its threads keep it where it is
  EvaluationReport report_;
  std::string path_;
  std::string message_;
  std::size_t saved_state_ = 0;
  std::vector<Intent> queue_;
  std::vector<std::string> lines_;  // for the recorder, once the drain has succeeded
  Recorder recorder_;
};

}  // namespace lab
