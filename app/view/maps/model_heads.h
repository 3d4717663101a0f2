#pragma once

#include <string>
#include <vector>

#include "app/document/model/model_document.h"
#include "app/view/state/ui.h"

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

/// The head that is under the microscope.
ModelHead focused_head(const Ui& ui);
/// Puts that head under the microscope; its layer is computed stage by stage.
void go_to_head(Ui& ui, const ModelHead& head);
/// The layer `by` steps below or above, of the same kind; stays at the first and the last.
void go_to_layer(Ui& ui, int by);

/// The row whose prediction a person asks about first: the last one, or that of the first masked
/// token. Precondition: a trained model is shown.
attention::Index first_row_asked(const Workspace& workspace);
/// A step of the frame (main_view.cpp), before the panels: looks at the layer of a view that was
/// just shown; while the last token is selected, the last one is, whatever the text becomes.
void follow_last_token(Ui& ui);

/// All edits of the model as last edited. They are listed once for each state: comparing weights
/// takes time. Precondition: a trained model is shown.
const std::vector<ModelEdit>& listed_edits(Ui& ui);

/// Forgets which heads and tokens were chosen, because another document was opened.
void forget_choices(ModelState& state);

/// What is done to that head in the state that is shown.
attention::HeadMix mix_of_head(const ModelDocument& model, const ModelHead& head);
/// The selected tiles, and the focused head before them.
std::vector<ModelHead> chosen_heads(const Ui& ui);
/// The heads that M and S act on: the tile with the keyboard focus, else the selected tiles with
/// the focused one.
std::vector<ModelHead> heads_of_keys(const Ui& ui);
/// Mutes these heads, or unmutes them if all are muted; one undo step.
void toggle_mutes(Ui& ui, const std::vector<ModelHead>& heads);
/// The same for solo.
void toggle_solos(Ui& ui, const std::vector<ModelHead>& heads);

/// Multiplies what these heads write; one undo step.
void set_gains(Ui& ui, const std::vector<ModelHead>& heads, float gain);
/// Marks these heads, or removes the marks if all have one. No edit: marks are kept with the view.
void toggle_marks(Ui& ui, const std::vector<ModelHead>& heads);
bool is_marked(const Ui& ui, const ModelHead& head);

/// True when anything is overridden or patched in that head.
bool is_overridden(const ModelDocument& model, const ModelHead& head);

/// The popup with more to do with the head ModelState::menu, at its tile.
inline constexpr const char* kTileMenu = "menu/Tile";
/// How much larger than usual tiles can be.
inline constexpr float kSmallestTiles = 1, kLargestTiles = 4;
/// Makes the tiles of all heads larger or smaller by that many steps, within these limits.
void zoom_tiles(Ui& ui, int steps);

/// The name of a head: "L9H3".
std::string name_of_head(const ModelHead& head);
/// "L9H3", or "L9H3 and 2 more". Precondition: there is one.
std::string name_of_heads(const std::vector<ModelHead>& heads);
/// The merge_key of edits that are queued together and are one step.
std::string key_of_step(const Ui& ui);
/// "tile/9/3": the widget of its tile.
std::string tile_name(const ModelHead& head);

}  // namespace lab::view
