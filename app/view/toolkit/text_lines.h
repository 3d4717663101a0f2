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

/// Layouts of the paragraphs that are shown. A key holds everything that a layout depends on except
/// the fonts, so all of them must be discarded when fonts are loaded.
using TextLinesMemo = Memo<TextLines, std::string>;

}  // namespace lab::view
