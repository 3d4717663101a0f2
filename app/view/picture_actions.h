#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/figure/figure_writers.h"
#include "app/view/ui.h"

namespace lab {

// Pictures are made and written aside, as files are (see file_actions.h).

/// The stage as people call it, with the focused head where it has one: "Weights, head 1".
std::string stage_and_head(const Ui& ui, attention::Stage stage);

/// A kind of figure that can be made of what is there.
struct FigureChoice {
  FigureKind kind = FigureKind::kMap;
  std::string name;  ///< "Weights of all heads"
};

/// What the export dialog offers.
std::vector<FigureChoice> figure_choices(const Ui& ui);

/// Opens the export dialog for a picture of `stage`: of two heads or two states where their
/// difference is what is looked at.
void open_export_dialog(Ui& ui, attention::Stage stage);

/// Makes the dialog's figure one of that kind, as wide as such figures usually are unless another
/// width was chosen.
void choose_figure(Ui& ui, FigureKind kind);

/// What the export dialog describes, with the heads, the cell and the marks of the window.
FigureOptions export_options(const Ui& ui);

/// A file name for the picture that the export dialog describes:
/// "what-does-it-refer-to-weights-head-1.png", in the folder of the session or else the current
/// one.
std::string picture_path(const Ui& ui);

/// Fails with kUsage when the ending of `path` is none of a picture's.
Expected<void> check_picture_path(const std::string& path);

/// Draws the figure that the export dialog describes into `place`.
void draw_export_preview(Ui& ui, const Rect& place);

/// Writes the picture that the export dialog describes, of the kind that the path's ending says.
void export_picture(Ui& ui, const std::string& path);

/// Makes the focused card the PNG picture that an export of it makes, and hands it to `take`.
void make_card_picture(Ui& ui, std::function<void(Ui& ui, const std::string& png)> take);

}  // namespace lab
