#pragma once

#include <string_view>

#include <vector>

#include "app/files/model/model_list.h"
#include "app/view/state/ui.h"

// The lists and dialogs of sessions and files. Each function draws into the given bounds, reads the
// state, and queues intents.

namespace lab::view {

/// The list of recent files below `anchor`, when it was requested.
void recent_list(Ui& ui, const Rect& anchor);
/// The list of all steps below `anchor`, when it was requested.
void history_list(Ui& ui, const Rect& anchor);
/// The content of the dialog that offers what another window lost in a crash.
void recovery_dialog(Ui& ui);
/// The trained models on this machine, as they were when the open dialog was opened.
const std::vector<files::ModelInfo>& listed_models(Ui& ui);
/// The content of the dialog that offers the trained models on this machine, and accepting what is
/// typed there.
void open_model_dialog(Ui& ui);
/// Opens the model at that path, goes into a folder that is none, or says what is wrong.
void accept_open_model(Ui& ui);
/// The content of the dialog that asks before an import that needs a change.
void import_dialog(Ui& ui);

}  // namespace lab::view
