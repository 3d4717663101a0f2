#pragma once

#include <functional>
#include <string>

#include "app/view/ui.h"

namespace lab {

// Pictures are made and written aside, as files are (see file_actions.h).

/// The stage as people call it, with the focused head where it has one: "Weights, head 1".
std::string stage_and_head(const Ui& ui, attention::Stage stage);

/// Opens the export dialog for a picture of `stage`.
void open_export_dialog(Ui& ui, attention::Stage stage);

/// A file name for the picture that the export dialog describes:
/// "what-does-it-refer-to-weights-head-1.png", in the folder of the session or else the current
/// one.
std::string picture_path(const Ui& ui);

/// Writes the picture that the export dialog describes.
void export_picture(Ui& ui, const std::string& path);

/// Makes the focused card the PNG picture that an export of it makes, and hands it to `take`.
void make_card_picture(Ui& ui, std::function<void(Ui& ui, const std::string& png)> take);

}  // namespace lab
