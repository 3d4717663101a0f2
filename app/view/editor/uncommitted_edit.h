#pragma once

#include <functional>
#include <string>

#include "app/view/state/ui.h"

// Edits that are being typed or dragged and are not committed yet. Any other command comes after
// them.

namespace lab::view {

/// True while cells or the temperature are pressed or dragged.
bool is_dragging(const Ui& ui);

/// Commits the number being typed. False when that is not possible: it is refused (ui.state.error
/// says why, and it stays in its field), or a drag is in progress.
bool commit_pending(Ui& ui);

/// Commits the number being typed in the Edit card to the whole selected block. False as above.
bool commit_to_block(Ui& ui);

/// Cancels what is being typed or dragged; the pointer is ignored until its button is released.
/// True when there was anything.
bool cancel_pending(Ui& ui);

/// A step of the frame (main_view.cpp), after the panels: cancels a drag or a number whose widget
/// is gone, so that nothing is shown that cannot be committed.
void end_lost_edits(Ui& ui);

/// Discards what is being typed or dragged, because its document was closed.
void forget_pending(ViewState& state);

/// True when a sentence's box holds text that the document refused.
bool has_refused_sentence(const Ui& ui);
/// Restores the document's sentence in such a box, which is the first thing that undo does. False
/// when there is none.
bool revert_refused_sentence(Ui& ui);

/// Ends typing after a click elsewhere: a number that is refused is discarded, and a message says
/// so.
void leave_field(Ui& ui);

/// The command that sets the cell under the Edit card's cursor to `value`.
Command set_cursor_cell(const Ui& ui, float value);

/// Previews the number being typed as soon as it is valid; `make` turns it into a command.
void preview_typed(Ui& ui, const std::string& text, const std::function<Command(float)>& make);

/// Queues the edit for `text`, which `make` turns into a command. False, with ui.state.error set,
/// when the text is not a number or the document refuses it.
bool queue_typed(Ui& ui, const std::string& text, const std::function<Command(float)>& make);

}  // namespace lab::view
