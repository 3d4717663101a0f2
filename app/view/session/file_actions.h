#pragma once

#include <string>
#include <vector>

#include "app/view/state/ui.h"

namespace lab::view {

// Files are read and written aside (see Jobs): what is asked for here is done when its job is
// finished, for a small file before the function returns. What goes wrong is said in
// ui.state.error.

/// Opens a file or an example and shows it; an error changes nothing. The answer to
/// unsaved changes must have been given before; what is changed until the file is read is asked
/// about.
void open_source(Ui& ui, const std::string& source);

/// Saves the session as it is now to `path`, and once it is written does `then`.
void save_session(Ui& ui, const std::string& path, const Job::Finish& then = {});

/// Writes the tensors of the problem to `path`, .safetensors or .npz, and says what they do not
/// keep. The session stays unsaved.
void save_problem(Ui& ui, const std::string& path);

/// Where the session can be saved without asking; empty when it has no file of its own, was read
/// from one of another format, or another program has changed the file.
std::string session_path(const Ui& ui);
/// True when the session's file is not what this window has read or written.
bool changed_elsewhere(const Ui& ui);

/// Asks where to save the session, in the dialog of the desktop or in the window's.
void ask_session_path(Ui& ui);

/// Goes there, whatever is not saved. A new session has a short sentence and two heads with random
/// weights.
void leave_now(Ui& ui, const Destination& next);

/// Asks before unsaved changes are lost, then goes there. Waits for what is being read or written.
/// A file that brings something into the document is no place to go to: see import_source().
void leave_document(Ui& ui, const Destination& next);

/// Goes back to what the session's file holds, after a question; a document without a file goes
/// back to what it was when it was opened, which can be redone.
void revert(Ui& ui);
/// The answer to that question: the file is read anew.
void revert_now(Ui& ui);
/// True when something was changed since the file was opened or saved, in the window or in the
/// file.
bool can_revert(const Ui& ui);

/// Opens the first of `files`, which were dropped on the window; folders only when there is nothing
/// else. Says so when it leaves some out.
void open_dropped(Ui& ui, const std::vector<std::string>& files);

/// Opens a dialog with `path` in its field.
void open_dialog(Ui& ui, Dialog dialog, const std::string& path = {});

/// True when `path` may be written: no file is there, or the session's own, or the user was asked
/// about it. False the first time, with the question as the dialog's problem.
bool may_write(Ui& ui, const std::string& path);

}  // namespace lab::view
