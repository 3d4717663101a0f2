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

/// Lays out a paragraph of several looks, its lines broken wherever Unicode permits, as if it had
/// one look only; a word that is longer than a line is broken between letters. Blanks are `space`
/// wide, as is the gap in front of it where its first line is not empty. Kept while it is shown:
/// the result is valid until the end of the frame.
const TextLines& laid_out(Ui& ui, std::span<const TextRun> runs, float space,
                          const TextColumn& column);

}  // namespace lab::view
