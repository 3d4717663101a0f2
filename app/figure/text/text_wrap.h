#pragma once

#include <string>
#include <vector>

#include "app/figure/text/figure_text.h"

namespace lab::figure {

/// The most lines of a figure's title.
inline constexpr std::size_t kMostTitleLines = 4;

/// `text` in lines at most `width` points wide: broken between words, also in scripts without
/// spaces, and inside of a word that has no room on a line. What is left after `most_lines` lines
/// is cut off, which "…" tells.
std::vector<std::string> wrapped(const TextRuler& ruler, const std::string& text, shape::Face face,
                                 double size, double width,
                                 std::size_t most_lines = kMostTitleLines);

}  // namespace lab::figure
