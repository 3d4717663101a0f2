#pragma once

#include "app/view/state/ui.h"

// The guide dialog and its parts.

namespace lab::view {

/// Reads the guide and opens its dialog where it was left.
void open_guide(Ui& ui);
/// Draws the content of the dialog.
void guide_dialog(Ui& ui);
/// Draws the list of pages, with the sections of the current page. During a search, lists matching
/// pages and sections.
void guide_contents(Ui& ui, const Rect& area);
/// Goes to the first section whose title matches the search, else to the first whose text does; the
/// contents page comes last. Does nothing if there is none.
void go_to_found(Ui& ui);
/// Draws the current page in `frame`.
void guide_page(Ui& ui, const Rect& frame);

/// Registers the widget that was just drawn at `rect` as a Tab stop and draws the focus ring if it
/// is there. True if Enter or Space pressed the widget.
bool guide_stop(Ui& ui, const std::string& name, const Rect& rect);
/// Handles the keys for moving between widgets and pages. Call it before drawing.
void take_guide_keys(Ui& ui);

}  // namespace lab::view
