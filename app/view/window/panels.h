#pragma once

#include "app/view/state/ui.h"

// The parts of the window. Each draws itself into `rect`, reads the state, and queues what it asks
// for.

namespace lab::view {

/// Menus, the name of the example or session, Undo, Redo, Export.
void top_bar(Ui& ui, Rect rect);
/// The actions of that menu, in a popup that was begun.
void menu_items(Ui& ui, std::string_view menu);
/// The text box, how it is cut into tokens, and one chip a token.
void sentence_bar(Ui& ui, Rect rect);
/// One chip a token, in a row that scrolls sideways; a click selects the query.
void token_chips(Ui& ui, const Rect& rect);
/// Sizes, scale, mask, temperature.
void model_card(Ui& ui, const Rect& rect);
/// The button at the right of the Model card's heading that opens the switches of every variant.
void variants_button(Ui& ui, const Rect& heading);
/// The editable matrices of the focused head.
void edit_card(Ui& ui, const Rect& rect);
/// Lines from the selected query to every key, as thick as the weight.
void tokens_card(Ui& ui, const Rect& rect);
/// Every head's weights as thumbnails on one scale.
void heads_card(Ui& ui, const Rect& rect);
/// Number of rows that the thumbnails take in a card of that width.
int thumbnail_rows(const Ui& ui, float width);
/// One stage of the focused head.
void stage_card(Ui& ui, const Rect& rect, attention::Stage stage);
/// The arithmetic of the selected cell.
void explain_card(Ui& ui, const Rect& rect);
/// The weights of the selected query as bars.
void row_card(Ui& ui, const Rect& rect);
/// Metrics of the focused head.
void head_card(Ui& ui, const Rect& rect);
/// The step of the lesson that is open.
void lesson_card(Ui& ui, const Rect& rect);
/// Offers the first lesson to a new user.
void lesson_offer(Ui& ui, const Rect& rect);
/// The list of lessons under `anchor`, when it was asked for.
void lesson_list(Ui& ui, const Rect& anchor);
/// The content of the dialog that asks before answers are lost.
void leave_lesson_dialog(Ui& ui);
/// The content of the dialog that makes a worksheet; takes the path that is in its field.
void worksheet_dialog(Ui& ui);
void accept_worksheet(Ui& ui);
/// While two states are compared: which is shown, and by how much the output differs.
void compare_bar(Ui& ui, const Rect& rect);
/// While two states are compared: the cells that moved most; a click selects one.
void moved_card(Ui& ui, const Rect& rect);
/// What is selected, what was recomputed, how much there is, and whether it is saved.
void status_bar(Ui& ui, Rect rect);
/// The newest message, if any, in a box over what stands above `rect`: what went wrong comes before
/// what went well.
void message_above(Ui& ui, const Rect& rect);
/// The whole window in present mode: the selected stage large, its arithmetic, and the way on.
void present_view(Ui& ui, Rect rect);
/// The number of overrides at the right of `rect`, where there are any, which opens their list; the
/// place is cut off.
void overrides_button(Ui& ui, Rect& rect);
/// While something is computed aside: how far it is and a button that stops it, at the right of
/// `rect`; the place is cut off.
void busy_bar(Ui& ui, Rect& rect);
/// The list of all steps, when it was asked for, below `anchor`.
/// The list of recent files under `anchor`, when it was asked for.
void recent_list(Ui& ui, const Rect& anchor);
void history_list(Ui& ui, const Rect& anchor);
/// The row of buttons below the Edit card's grid, with the menu of everything that fills.
void fill_row(Ui& ui, Rect row);
/// The tabs of the Edit card and the menu of those that do not fit.
void matrix_tabs(Ui& ui, Rect row);
/// The dialog that is open, if any.
void dialogs(Ui& ui);

/// The field that finds everything that can be asked for by its name, in a dialog.
void command_palette(Ui& ui);

/// Height that a card needs for all of its content, at the window's scale.
float model_card_height(const Ui& ui);
float edit_card_height(const Ui& ui);
float row_card_height(const Ui& ui);
float lesson_offer_height(const Ui& ui);
/// The same in a column of that width with so much room, which it may take whole where it is
/// `alone`.
float lesson_card_height(Ui& ui, float width, float room, bool alone);
float head_card_height(const Ui& ui);
float moved_card_height(const Ui& ui);   ///< 0 while nothing is compared
float compare_bar_height(const Ui& ui);  ///< 0 while nothing is compared

/// The content of the dialog that offers what another window lost in a crash.
void recovery_dialog(Ui& ui);
/// The content of the dialog that asks before something is brought in that fits only so.
void import_dialog(Ui& ui);

/// The content of the export dialog: what, how, a preview, and where to.
void export_dialog(Ui& ui);
/// Takes the path that is in its field.
void accept_export(Ui& ui);

}  // namespace lab::view
