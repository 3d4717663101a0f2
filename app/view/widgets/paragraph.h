#pragma once

#include <span>

#include "app/view/toolkit/text_lines.h"
#include "app/view/widgets/text_run.h"

namespace lab::view {

/// Where a paragraph stands, in pixels from the left of the window.
struct TextColumn {
  float x;      ///< where it begins …
  float start;  ///< … in a line that begins here
  float left;   ///< where the lines after that begin
  float right;  ///< where all end
};

/// Lays out the paragraph that `runs` make together. Lines are broken where Unicode permits, across
/// the borders of runs too; a word longer than a line is broken between letters. Blanks are `space`
/// pixels wide, and so is the gap before the paragraph if its first line is not empty. Text of
/// right-to-left scripts runs from right to left. The layout is kept while it is shown; the
/// reference is valid until the end of the frame.
const TextLines& laid_out(Ui& ui, std::span<const TextRun> runs, float space,
                          const TextColumn& column);

/// Puts the pieces of each line, which stand in reading order from left to right, into the order in
/// which they are shown: words of right-to-left scripts run from right to left among themselves,
/// numbers and signs with the words around them. Within a piece Pango does the same. A paragraph
/// whose first letter is of such a script runs from right to left as a whole, and its lines end at
/// the left. `space` is the gap between words.
void put_in_shown_order(TextLines& lines, const TextColumn& column, float space);

}  // namespace lab::view
