#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/files/model/model_session.h"
#include "app/files/open.h"
#include "app/view/state/ui.h"

namespace lab::view {

// Files are read and written in the background (see Jobs): an action is complete when its job is
// finished, for a small file before the function returns. Errors go to ui.state.error.

/// A small session to begin with where there is nothing else: a short sentence and two heads with
/// random weights.
Document new_session();

/// Opens a file or an example and shows it; an error changes nothing. Once it is read, the user is
/// asked about what would be lost.
void open_source(Ui& ui, const std::string& source);

/// The same for a session of a model that is elsewhere, or has changed. Where that helps,
/// open_source() asks for it.
void open_with_model(Ui& ui, const std::string& session, const files::ModelChoice& choice);

/// Makes `state` ready for what was read, and returns the intent that shows it in place of the
/// document, without a question. `arrays`: what it was made from, if another program gave it.
intent::Replace show_opened(ViewState& state, const files::Opened& opened,
                            std::shared_ptr<const ShownArrays> arrays = nullptr);

/// Saves the current session to `path`, and calls `then` once it is written.
void save_session(Ui& ui, const std::string& path, const Job::Finish& then = {});

/// Writes the tensors of the problem to `path`, .safetensors or .npz, and reports what they do not
/// store. The session stays unsaved.
void save_problem(Ui& ui, const std::string& path);

/// What the document that is shown is called: by its title, else by its file, else by its sentence.
/// One line, as it can be shown.
std::string heading_of(const Workspace& workspace);

/// The path where the session can be saved without asking; empty when it has no file, was read from
/// another format, or another program has changed the file.
std::string session_path(const Ui& ui);
/// True when the session's file was changed by another program.
bool changed_elsewhere(const Ui& ui);

/// Asks where to save the session, in the desktop's dialog or in the window's.
void ask_session_path(Ui& ui);

/// Goes to `next` regardless of unsaved changes. A new session has a short sentence and two heads
/// with random weights.
void leave_now(Ui& ui, const Destination& next);

/// Asks before unsaved changes or answers are lost, then goes to `next`. A file is read before, so
/// that one which cannot be opened changes nothing; otherwise waits for running file operations.
/// Not for files that are imported into the document: see import_source().
void leave_document(Ui& ui, const Destination& next);

/// Reverts to what the session's file holds, after a question; a document without a file reverts to
/// its state when it was opened, which can be redone.
void revert(Ui& ui);
/// Reverts without a question: reads the file again.
void revert_now(Ui& ui);
/// True when something was changed since the file was opened or saved, in the window or in the
/// file.
bool can_revert(const Ui& ui);

/// Opens the first of `files`, which were dropped on the window; a folder only when there are no
/// files. Reports when some are ignored.
void open_dropped(Ui& ui, const std::vector<std::string>& files);

/// Opens a dialog with `path` in its field.
void open_dialog(Ui& ui, Dialog dialog, const std::string& path = {});

/// True when `path` may be written: there is no such file, or it is the session's own, or the user
/// was asked about it. False the first time, with the question as the dialog's problem.
bool may_write(Ui& ui, const std::string& path);

}  // namespace lab::view
