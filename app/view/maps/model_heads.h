#pragma once

#include <string>
#include <vector>

#include "app/document/model/model_document.h"
#include "app/view/maps/heads.h"

// The heads of a trained model, of every layer, for all panels.

namespace lab::view {

/// The model whose layer is shown; null for a layer made by hand.
const ModelDocument* shown_model(const Ui& ui);
/// True when a trained model is shown.
bool has_model(const Ui& ui);
/// The same as last edited.
const ModelDocument* edited_model(const Ui& ui);
/// True for a layer of an encoder, whose tokens predict nothing: the decoder's last one does.
bool is_of_encoder(const Document& document);

/// Puts that head under the microscope; its layer is computed stage by stage.
void go_to_head(Ui& ui, const HeadRef& head);
/// The layer `by` steps below or above, of the same kind; stays at the first and the last.
void go_to_layer(Ui& ui, int by);

/// The row whose prediction a person asks about first: the last one, or that of the first masked
/// token. Precondition: a trained model is shown.
attention::Index first_row_asked(const Workspace& workspace);
/// A step of the frame (main_view.cpp), before the panels: goes to the layer of a view that was
/// just restored; while the last token is selected, the last one is, whatever the text becomes.
void follow_last_token(Ui& ui);

/// All edits of the document as last edited. Those of a model are listed once for each state:
/// comparing weights takes time.
const std::vector<ListedEdit>& listed_edits(Ui& ui);

/// Forgets which heads and tokens were chosen, because another document was opened.
void forget_choices(ViewState& view);

/// How much larger than usual tiles can be.
inline constexpr float kSmallestTiles = 1, kLargestTiles = 4;
/// Makes the tiles of all heads larger or smaller by that many steps, within these limits.
void zoom_tiles(Ui& ui, int steps);

/// The name of a head: "L9H3".
std::string name_of_head(const HeadRef& head);

}  // namespace lab::view
