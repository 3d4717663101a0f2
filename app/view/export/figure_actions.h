#pragma once

#include <string>
#include <vector>

#include "app/figure/figure_options.h"
#include "app/view/export/figure_preview.h"
#include "app/view/state/ui.h"

namespace lab::view {

// Figures are made and written in the background, as files are (see file_actions.h).

/// The stage as people call it, with the focused head where it has one: "Weights, head 1".
std::string stage_and_head(const Ui& ui, attention::Stage stage);

/// A kind of figure that can be made of what is there.
struct FigureChoice {
  figure::FigureKind kind = figure::FigureKind::kMap;
  std::string name;  ///< "Weights of all heads"
};

/// What the export dialog offers.
std::vector<FigureChoice> figure_choices(const Ui& ui);

/// The kind of figure that is looked at in the card of `stage`: of two heads or two states where
/// their difference is shown.
figure::FigureKind looked_at(const Ui& ui, attention::Stage stage);

/// Makes the dialog's figure one of that kind, as wide as such figures usually are unless another
/// width was chosen.
void choose_figure(Ui& ui, figure::FigureKind kind);

/// What the export dialog describes, with the heads, the cell and the marks of the window.
figure::FigureOptions export_options(const Ui& ui);

/// What the figure in the export dialog is called in file names: "weights-head-1".
std::string figure_stem(const Ui& ui);

/// What a preview of that in `place` shows.
PreviewKey preview_key(const Ui& ui, const Rect& place);

/// Draws the figure that the export dialog describes into `place`.
void draw_export_preview(Ui& ui, const Rect& place);

/// Writes the figure that the export dialog describes, in the format given by the ending of `path`.
void write_figure(Ui& ui, const std::string& path);

/// Puts the picture that the export dialog describes on the clipboard, at its resolution.
void copy_export_figure(Ui& ui);

/// Puts the picture of the focused card on the clipboard.
void copy_card_picture(Ui& ui);

}  // namespace lab::view
