#pragma once

#include <string>
#include <vector>

#include "app/figure/figure.h"

namespace lab::figure {

/// A part of a figure's text that is set in one way.
struct TextRun {
  std::string text;
  double size = 1;  ///< of the text's size
  double rise = 0;  ///< of its baseline above the text's own, of the text's size
  bool italic = false, bold = false;
};

/// The parts of `text` in order, its markup resolved: sup, sub, small, big, i and b; other elements
/// leave what is in them as it is. Markup that is not well-formed is taken as plain text.
std::vector<TextRun> text_runs(const shape::Text& text);

}  // namespace lab::figure
