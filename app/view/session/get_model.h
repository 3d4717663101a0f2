#pragma once

#include <string>

#include "app/view/state/ui.h"

// Models that are not on this machine yet: the dialog that offers and downloads them.

namespace lab::view {

/// Opens the dialog, with `name` in its field: of the catalogue, or of a repository. Where a
/// download is under way, the dialog shows that.
void open_get_model(Ui& ui, const std::string& name = {});

/// The content of that dialog.
void get_model_dialog(Ui& ui);

/// True while a model arrives, also without the dialog.
bool is_downloading(const ViewState& state);

/// Opens the model that has arrived while the dialog waited for it; without the dialog, says that
/// it is here, or why it is not. A step of the frame (main_view.cpp).
void follow_download(Ui& ui);

}  // namespace lab::view
