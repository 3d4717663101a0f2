#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/document/commands/command.h"
#include "app/document/commands/reducer.h"
#include "app/document/document.h"

namespace lab {

/// One committed command, undo or redo.
struct RecordLine {
  std::string text;    ///< one JSON object, without line end
  bool grows = false;  ///< the command became part of the step before it (History::commit_merged)
  bool operator==(const RecordLine&) const = default;
};

/// The lines that undo and redo one command in a record.
inline constexpr std::string_view kUndoLine = R"({"do":"undo"})";
inline constexpr std::string_view kRedoLine = R"({"do":"redo"})";

/// Returns the name of a step in the language of the moment, so that the history follows when the
/// language is switched. Empty: the step is named by its command, see step_label().
using StepLabel = std::function<std::string()>;

/// What the command changed between two documents, as the history names it: which word, which cell,
/// and the numbers before and after. "W_Q of head 1, row animal, column 3: 0.5 → 0.7".
std::string step_label(const Command& command, const Document& before, const Document& after);

/// One state of the history.
struct HistoryEntry {
  StepLabel label;        ///< of the edit that led here; empty: none did, or it was discarded
  std::size_t state = 0;  ///< History::state_id in that state
};

/// The result of trying a command, for callers that must know whether it fails before requesting
/// it. Empty when it was not tried.
struct Attempt {
  std::shared_ptr<const Document> before = nullptr;  ///< the committed state it was tried on
  std::shared_ptr<const Document> after = nullptr;
  /// What it was applied to, when that is not `before` itself but the same model at another
  /// layer.
  std::shared_ptr<const Document> at_layer = nullptr;
};

/// The document and its past. An edit is previewed on a scratch copy whenever the pointer moves,
/// and becomes one step when it is committed. Whole documents are kept; they share their matrices.
/// Copying a history copies no document. When a limit is exceeded, the oldest steps are discarded;
/// the newest can always be undone. A step of many merged commands counts and takes no more than
/// one of a single command: only its last document and its newest command are kept.
class History {
 public:
  /// The most steps that are kept by default.
  static constexpr std::size_t kMostSteps = 1000;
  /// The most memory that steps take beyond the oldest document by default, in bytes.
  static constexpr std::size_t kMostBytes = std::size_t{1} << 29;

  /// Starts a history whose only state is `document`.
  explicit History(Document document, std::size_t most_bytes = kMostBytes,
                   std::size_t most_steps = kMostSteps);
  /// The same for replaying a record, which has a step for each command: the undo of one merged
  /// step goes back more than kMostSteps there. Only the memory is limited.
  static History for_replay(Document document);

  /// What is shown: the scratch document during a preview, otherwise the committed state.
  const Document& document() const { return scratch_ ? *scratch_ : steps_[now_]->document; }
  /// The committed state, regardless of a preview.
  const Document& committed() const { return steps_[now_]->document; }

  /// The result of `command` on the committed state, without changing anything; fails as apply()
  /// does.
  Expected<Attempt> attempt(const Command& command) const;
  /// The same for the committed state at another layer of its model, with `edit` in
  /// place of apply().
  Expected<Attempt> attempt(std::shared_ptr<const Document> at_layer,
                            const std::function<Expected<Document>(const Document&)>& edit) const;
  /// Applies `command` to the committed state and shows the result as a preview, in place of an
  /// earlier preview. Nothing changes when it fails. If `dry_run` holds the result for that very
  /// state, it is used.
  Expected<void> preview(const Command& command, const Attempt& dry_run = {});
  /// Makes the preview a step and discards what could be redone. The step is named by `label`, or
  /// by its command when that is empty. Returns the command that was committed, or nothing when
  /// there was no preview or it changed nothing.
  std::optional<Command> commit(StepLabel label = {});
  /// Like commit, but when the newest step has the same `merge_key` (and nothing was undone) the
  /// step grows instead of a new one being made: a run of typing is one step.
  std::optional<Command> commit_merged(std::string merge_key, StepLabel label = {});
  /// Replaces the document of every state, and of the preview, by what `change` makes of it. Steps
  /// keep their ids and names.
  void rebase(const std::function<Document(const Document&)>& change);
  /// Ends the growth of the newest step: the state can be returned to.
  void keep_state() { kept_ = state_id(); }
  /// Discards the preview.
  void cancel() { scratch_.reset(), previewed_.reset(), at_layer_.reset(); }
  /// True while a preview is shown.
  bool previewing() const { return scratch_ != nullptr; }

  /// The document of the preview, and the command that led to it; null and nothing without one.
  const std::shared_ptr<const Document>& previewed() const { return scratch_; }
  /// The command of the preview that is shown.
  const std::optional<Command>& previewed_command() const { return previewed_; }

  /// One step back, or forward; discards a preview first. False when there is no such step.
  bool undo();
  /// One step forward; discards a preview first. False when there is none.
  bool redo();
  /// True when there is such a step.
  bool can_undo() const { return now_ > 0; }
  /// True when redo() has a step to take.
  bool can_redo() const { return now_ + 1 < steps_.size(); }
  /// The name of the step that undo reverts, or redo restores, in the language of the moment; empty
  /// when there is none.
  std::string undo_label() const;
  /// The same for redo().
  std::string redo_label() const;
  /// Number of commands in that step, more than 1 after commit_merged; 0 when there is none.
  std::size_t undo_commands() const { return can_undo() ? steps_[now_]->commands : 0; }
  /// The same for redo().
  std::size_t redo_commands() const { return can_redo() ? steps_[now_ + 1]->commands : 0; }
  /// Identifies the committed state: equal numbers mean the same state of this history.
  std::size_t state_id() const { return steps_[now_]->id; }
  /// True when steps before the oldest state were discarded, because a limit was exceeded.
  bool has_discarded() const { return discarded_; }
  /// True when undo leads to that state, or it is the current one.
  bool has_past(std::size_t state_id) const;
  /// The state that undo leads to; null when there is none.
  const Document* before() const { return can_undo() ? &steps_[now_ - 1]->document : nullptr; }
  /// Every state that undo and redo lead to, including the current one, the oldest first.
  std::vector<HistoryEntry> entries() const;
  /// What the edit that led to that entry detached (see detached_note()); empty: nothing.
  std::string entry_note(std::size_t entry) const;

 private:
  struct Step {
    Document document;
    StepLabel label;        // of the edit that led here; empty: named by its command
    std::string merge_key;  // see commit_merged
    std::size_t id = 0;
    std::size_t commands = 0;
    std::size_t bytes = 0;                          // that the step before does not share
    Command command = {};                           // the newest that led here
    std::shared_ptr<const Document> at_layer = {};  // see Attempt::at_layer
  };

  static std::string name_of(const Step& before, const Step& step);

  std::optional<Command> commit_step(Step step, bool grows);
  void discard_oldest();

  std::vector<std::shared_ptr<const Step>> steps_;
  std::size_t now_ = 0;
  std::size_t next_id_ = 1;
  std::size_t kept_ = 0;  // a state that no step may grow beyond
  std::size_t most_bytes_;
  std::size_t most_steps_;
  bool discarded_ = false;  // steps before the first
  std::shared_ptr<const Document> scratch_;
  std::shared_ptr<const Document> at_layer_;  // see Attempt::at_layer, of the preview
  std::optional<Command> previewed_;
};

}  // namespace lab
