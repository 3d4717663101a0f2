#pragma once

#include <string>

#include "app/view/widgets/flow_text.h"

// The sections of the Explain card around the arithmetic.

namespace lab::view {

/// The pinned cells with their values, each a link to its cell.
void write_pins(Ui& ui, FlowText& text);

/// The link "What moves this?" in the row of the title, where the title, which is that wide, leaves
/// it room; cuts it off the right.
void sensitivity_link(Ui& ui, Rect& row, float title);

/// That the number is an override, and what it would be; cut off the top of `content`. Elsewhere
/// the arithmetic says so at its end, which may be out of sight. Nothing for no words.
void write_by_hand(Ui& ui, Rect& content, const std::string& words, bool draws);

/// What +0.01 on the cell does to the number that is asked about; nothing for no words. `area` is
/// that of the text.
void write_sensitivity(Ui& ui, FlowText& text, const Rect& area, const std::string& words);

/// The summary of the selected block, with a histogram.
void write_block(Ui& ui, FlowText& text);

}  // namespace lab::view
