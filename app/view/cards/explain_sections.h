#pragma once

#include "app/view/widgets/flow_text.h"

// What the Explain card shows around the arithmetic.

namespace lab::view {

/// The pinned cells with their values, each a link to its cell.
void write_pins(Ui& ui, FlowText& text);

/// What the selected block comes to, with a histogram.
void write_block(Ui& ui, FlowText& text);

}  // namespace lab::view
