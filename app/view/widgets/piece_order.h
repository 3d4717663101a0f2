#pragma once

#include "app/view/widgets/paragraph.h"

namespace lab::view {

/// Puts the pieces of each line, which stand in reading order from left to right, into the order in
/// which they are shown: words of right-to-left scripts run from right to left among themselves,
/// numbers and signs with the words around them. Within a piece Pango does the same. A paragraph
/// whose first letter is of such a script runs from right to left as a whole, and its lines end at
/// the left. `space` is the gap between words.
void put_in_shown_order(TextLines& lines, const TextColumn& column, float space);

}  // namespace lab::view
