#include "app/document/workspace.h"

#include <utility>

#include "app/document/arrays/shown_arrays.h"
#include "app/document/model/layer_name.h"
#include "app/document/model/model_document.h"

namespace lab {

using attention::network::LayerId;

Expected<void> Workspace::execute(const intent::Preview& requested) {
  return preview(requested.command, requested.dry_run, {});
}

Expected<void> Workspace::execute(const intent::Commit& requested) {
  note(now_.history.commit(requested.label));
  return {};
}

Expected<void> Workspace::execute(const intent::Cancel&) {
  now_.history.cancel();
  return {};
}

Expected<void> Workspace::execute(const intent::Apply& requested) {
  if (auto shown = preview(requested.command, requested.dry_run, requested.layer); !shown)
    return shown;
  note(requested.merge_key.empty()
           ? now_.history.commit(requested.label)
           : now_.history.commit_merged(requested.merge_key, requested.label));
  return {};
}

Expected<void> Workspace::execute(const intent::ApplyMerged& requested) {
  const bool was_saved = !has_unsaved_steps();
  if (auto shown = preview(requested.command, {}, {}); !shown) return shown;
  note(now_.history.commit_merged(requested.merge_key, requested.label));
  // Showing another sentence leaves nothing to save.
  if (was_saved && std::holds_alternative<GoToSentence>(requested.command)) {
    now_.saved_too.push_back(now_.saved);
    now_.saved = now_.history.state_id();
  }
  return {};
}

Expected<void> Workspace::execute(const intent::Undo&) {
  const std::size_t commands = now_.history.undo_commands();
  if (!now_.history.undo()) return {};
  for (std::size_t i = 0; i < commands; ++i) note({std::string(kUndoLine)});
  return {};
}

Expected<void> Workspace::execute(const intent::Redo&) {
  const std::size_t commands = now_.history.redo_commands();
  if (!now_.history.redo()) return {};
  for (std::size_t i = 0; i < commands; ++i) note({std::string(kRedoLine)});
  return {};
}

Expected<void> Workspace::execute(const intent::BackTo& requested) {
  if (!now_.history.has_past(requested.state)) return {};
  while (now_.history.state_id() != requested.state) {
    if (auto undone = execute(intent::Undo{}); !undone) return undone;
  }
  return {};
}

Expected<void> Workspace::execute(const intent::JumpTo& requested) {
  if (now_.history.has_past(requested.state)) return execute(intent::BackTo{requested.state});
  const auto states = now_.history.entries();
  if (std::ranges::find(states, requested.state, &HistoryEntry::state) == states.end()) return {};
  while (now_.history.state_id() != requested.state) {
    if (auto redone = execute(intent::Redo{}); !redone) return redone;
  }
  return {};
}

Expected<void> Workspace::execute(const intent::Replace& requested) {
  Work work{History(requested.document), requested.path, requested.saves_there};
  work.arrays = requested.arrays;
  open(std::move(work), now_.suspended);
  note_break();
  return {};
}

// The journal begins anew when it has no edits, or they may not fit.
Expected<void> Workspace::execute(const intent::UpdateArrays& requested) {
  Work own = this->own();
  const bool fits = update_arrays(own, *requested.arrays);
  const bool journal_fits = fits && own.has_unsaved_steps();
  if (now_.suspended) {
    now_.suspended = std::make_shared<const Work>(std::move(own));
    return {};
  }
  now_ = std::move(own);
  if (!journal_fits) note_break();
  return {};
}

Expected<void> Workspace::execute(const intent::ShowArrayLayer& requested) {
  if (!now_.arrays || now_.arrays->layer == requested.layer) return {};
  show_array_layer(now_, requested.layer, requested.base);
  note_break();
  return {};
}

Expected<void> Workspace::execute(const intent::Resume& requested) {
  open({*requested.history, requested.path, requested.saves_there}, now_.suspended);
  now_.saved = requested.begins_saved ? 0 : kNoState;
  note_break();
  return {};
}

Expected<void> Workspace::execute(const intent::SuspendWork& requested) {
  now_.history.cancel();
  open({History(requested.document)},
       now_.suspended ? now_.suspended : std::make_shared<const Work>(now_));
  return {};
}

Expected<void> Workspace::execute(const intent::RestoreWork&) {
  if (!now_.suspended) return {};
  Work own = *now_.suspended;
  own.opened = now_.opened + 1;
  now_ = std::move(own);
  return {};
}

Expected<void> Workspace::execute(const intent::NoteState& requested) {
  *requested.state = now_.history.state_id();
  now_.history.keep_state();
  return {};
}

Expected<void> Workspace::execute(const intent::MarkSaved& requested) {
  now_.path = requested.path;
  now_.saves_there = true;
  now_.saved = requested.state ? *requested.state : now_.history.state_id();
  now_.saved_too.clear();
  return {};
}

Expected<void> Workspace::execute(const intent::GoToLayer& requested) {
  const auto& model = now_.history.document().layer.model;
  if (model && is_convolution(model->network, requested.layer))
    return fail(ErrorType::kBadInput, without_attention(model->network, requested.layer));
  const std::optional<LayerId> before = std::exchange(now_.go_to, requested.layer);
  try {
    look();
  } catch (const std::exception&) {
    now_.go_to = before;
    throw;
  }
  return {};
}

// By undo where possible, so that redo restores what was abandoned.
Expected<void> Workspace::execute(const intent::StopEvaluation&) {
  if (!behind()) return {};
  evaluator_->stop();
  now_.history.cancel();
  now_.go_to = shown_.go_to;
  const bool same = now_.opened == shown_.opened && !shown_.history.previewing();
  if (same && now_.history.has_past(shown_.history.state_id()))
    return execute(intent::BackTo{shown_.history.state_id()});
  now_ = shown_;
  lines_.clear();
  note_break();
  return {};
}

}  // namespace lab
