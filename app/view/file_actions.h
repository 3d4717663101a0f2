#pragma once

#include <string>
#include <vector>

#include "app/view/ui.h"

namespace lab {

/// What the functions below open as a new session; no file is called that.
inline constexpr const char* kNewSession = "\x01new";

/// Opens a file, an example or a new session and shows it; an error goes to ui.state.error and
/// changes nothing. The answer to unsaved changes must have been given before.
void open_source(Ui& ui, const std::string& source);

/// Saves the session to `path`; false, with ui.state.error set, when it could not be written.
bool save_session(Ui& ui, const std::string& path);

/// Where the session can be saved without asking; empty when it has no file of its own, or was read
/// from one of another format.
std::string session_path(const Ui& ui);

/// Asks where to save the session, in the dialog of the desktop or in the window's.
void ask_session_path(Ui& ui);

/// Opens `source` (empty: quits), whatever is not saved.
void leave_now(Ui& ui, const std::string& source);

/// Asks before unsaved changes are lost, then opens `source` (empty: quits).
void leave_document(Ui& ui, const std::string& source);

/// Opens the first of `files`, which were dropped on the window; folders only when there is nothing
/// else. Says so when it leaves some out.
void open_dropped(Ui& ui, const std::vector<std::string>& files);

/// Opens a dialog with `path` in its field.
void open_dialog(Ui& ui, Dialog dialog, const std::string& path = {});

/// Opens the export dialog for a picture of `stage`.
void open_export_dialog(Ui& ui, attention::Stage stage);

/// A file name for the picture that the export dialog describes:
/// "what-does-it-refer-to-weights-head-1.png", in the folder of the session or else the current
/// one.
std::string picture_path(const Ui& ui);

/// Writes the picture that the export dialog describes; false with ui.state.error set.
bool export_picture(Ui& ui, const std::string& path);

/// The focused card as the PNG picture that an export of it makes. Fails as write_png does.
Expected<std::string> card_picture(const Ui& ui);

/// True when `path` may be written: no file is there, or the session's own, or the user was asked
/// about it. False the first time, with the question as the dialog's problem.
bool may_write(Ui& ui, const std::string& path);

}  // namespace lab
