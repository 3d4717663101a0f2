#pragma once

#include <string_view>

#include "app/view/state/ui.h"

// The cards that show the stages, the heads and the selected cell. Each part draws itself into the
// place it is given, reads the state, and queues what it asks for.

namespace lab::view {

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
/// While two states are compared: which is shown, and by how much the output differs.
void compare_bar(Ui& ui, const Rect& rect);
/// While two states are compared: the cells that moved most; a click selects one.
void moved_card(Ui& ui, const Rect& rect);
float row_card_height(const Ui& ui);
float head_card_height(const Ui& ui);
float moved_card_height(const Ui& ui);   ///< 0 while nothing is compared
float compare_bar_height(const Ui& ui);  ///< 0 while nothing is compared

}  // namespace lab::view
