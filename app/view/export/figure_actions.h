#pragma once

#include <string>
#include <vector>

#include "app/figure/figure_options.h"
#include "app/view/export/export_files.h"
#include "app/view/export/figure_preview.h"
#include "app/view/state/ui.h"

namespace lab::view {

// Figures are made and written in the background, like files (see file_actions.h).

/// The displayed name of the stage, with the focused head for per-head stages: "Weights, head 1".
std::string stage_and_head(const Ui& ui, attention::Stage stage);

/// A kind of figure that can be made from the current state.
struct FigureChoice {
  figure::FigureType type = figure::FigureType::kMap;
  std::string name;                      ///< "Weights of all heads"
  WholeModel whole = WholeModel::kNone;  ///< of the whole trained model instead
};

/// The choices in the export dialog.
std::vector<FigureChoice> figure_choices(const Ui& ui);

/// The type of figure shown in the card of `stage`: of two heads or two states if their difference
/// is shown.
figure::FigureType looked_at(const Ui& ui, attention::Stage stage);

/// Chooses that type of figure in the dialog, with its default width unless another was chosen.
void choose_figure(Ui& ui, figure::FigureType type);

/// The tokens that the dialog's figures show.
struct ChosenTokens {
  std::vector<attention::Index> queries, keys;  ///< none: all
  std::string problem;                          ///< with what was typed; empty: none
};
/// Reads both fields of the dialog; where one cannot be read, the lists are empty and `problem`
/// says why.
ChosenTokens chosen_tokens(const Ui& ui);

/// The options of the export dialog, with the heads, the cell and the marks of the window.
figure::FigureOptions export_options(const Ui& ui);

/// The name of the dialog's figure in file names: "weights-head-1".
std::string figure_stem(const Ui& ui);

/// The key of its preview in `bounds`.
PreviewKey preview_key(const Ui& ui, const Rect& bounds);

/// Draws the dialog's figure into `bounds`.
void draw_export_preview(Ui& ui, const Rect& bounds);

/// Makes files of the dialog's figure.
ExportMaker figure_maker(const Ui& ui);

/// Puts the dialog's figure on the clipboard as a picture, at its resolution.
void copy_export_figure(Ui& ui);

/// Puts the picture of the focused card on the clipboard.
void copy_card_picture(Ui& ui);

}  // namespace lab::view
