#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/view/toolkit/memo.h"

namespace lab::view {

/// A paragraph laid out in lines, in pixels.
struct TextLines {
  /// A part of one look. `run` is the index of its look.
  struct Piece {
    std::size_t run;
    std::string text;
    float x, width;
    int line;  ///< counted from the one in which the paragraph begins
  };
  std::vector<Piece> pieces;
  float end = 0;  ///< where the last line ends
  int last_line = 0;
};

/// What was laid out, kept while it is shown. The keys hold all it depends on but the fonts: what
/// was laid out in others must be discarded.
using TextLinesMemo = Memo<TextLines, std::string>;

}  // namespace lab::view
