#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/figure/model/model_figure.h"
#include "app/view/state/ui.h"

// Figures of a whole trained model in the export dialog.

namespace lab::view {

/// A figure of the model that can be made.
struct ModelFigureChoice {
  WholeModel whole = WholeModel::kNone;
  std::string name;  ///< "Attention of all layers × heads"
};
/// Those of the model that is shown; none for a layer made by hand.
std::vector<ModelFigureChoice> model_figure_choices(const Ui& ui);

/// What the dialog's figure or numbers are of: kNone unless it is in one of these modes, and a
/// model is shown. The attention of all layers has no numbers of its own: the layers have them.
WholeModel chosen_whole_model(const Ui& ui);

/// Asks for the numbers of that figure; in each frame in which the dialog shows it.
void want_model_figure(Ui& ui, WholeModel whole);

/// The figure; nothing while its numbers are not known, and for kNone and kAttention.
std::optional<figure::ModelFigure> model_figure_of(const Ui& ui, WholeModel whole);

/// The attention of all layers and heads as one layer that has all these heads. Precondition: a
/// trained model is shown.
Snapshot attention_of_all_layers(const Ui& ui);
/// `options` for a figure of `all`, the document of attention_of_all_layers(): its heads layer by
/// layer, with one range of colours and the focused head marked.
figure::FigureOptions all_layers_options(const Ui& ui, const Document& all,
                                         figure::FigureOptions options);

/// Why it cannot be made while its numbers are not known.
std::string numbers_pending_text();

/// What it is called in file names: "layers-effect".
std::string whole_model_stem(WholeModel whole);

/// Changes whenever the figure does: the numbers that it is made of; null while they are not known.
const void* model_figure_numbers(const Ui& ui, WholeModel whole);

}  // namespace lab::view
