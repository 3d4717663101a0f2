#pragma once

#include "app/view/widgets/flow_text.h"

// The sections of the Explain card around the arithmetic.

namespace lab::view {

/// The pinned cells with their values, each a link to its cell.
void write_pins(Ui& ui, FlowText& text);

/// The summary of the selected block, with a histogram.
void write_block(Ui& ui, FlowText& text);

}  // namespace lab::view
