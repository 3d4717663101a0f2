#pragma once

#include <string>
#include <vector>

#include "app/figure/text/figure_text.h"

namespace lab::figure {

/// The most lines of a figure's title.
inline constexpr std::size_t kMostTitleLines = 4;

/// `text` wrapped into lines at most `width` points wide: broken between words, also in scripts
/// without spaces, and within a word that is too long for a line. Text beyond `most_lines` lines is
/// cut off and replaced by "…".
std::vector<std::string> wrapped(const TextRuler& ruler, const std::string& text, shape::Face face,
                                 double size, double width,
                                 std::size_t most_lines = kMostTitleLines);

}  // namespace lab::figure
