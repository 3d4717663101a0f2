#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace lab::figure {

/// Where the lines of a text may end, in bytes from its beginning, ascending. Nothing here depends
/// on a font: what fits is measured by the caller.
struct LineBreaks {
  /// Behind words, hyphens and ideographs, as Unicode permits (UAX #14); in Thai and other scripts
  /// without spaces, behind the words of a dictionary. Blanks stand in front of a break.
  std::vector<std::size_t> words;
  /// Behind each letter with its accents, and behind each emoji: for words longer than a line.
  std::vector<std::size_t> letters;
  /// Behind each line feed, or whatever else ends a line on purpose. They are among `words` too.
  std::vector<std::size_t> forced;
};

/// Finds them with Pango. `text` is UTF-8; each byte that is not counts as a letter.
LineBreaks line_breaks(std::string_view text);

/// The last of `positions` after `from` and up to `to` that `fits`; `from` when none does. A
/// position must not fit when one before it does not.
template <typename Fits>
std::size_t last_that_fits(const std::vector<std::size_t>& positions, std::size_t from,
                           std::size_t to, Fits&& fits) {
  const auto first = std::ranges::upper_bound(positions, from);
  const auto end = std::upper_bound(first, positions.end(), to);
  // A line is short beside all that may be left of a text: the steps begin small and double.
  auto fitting = first, too_far = end;
  for (std::ptrdiff_t step = 1; fitting != too_far; step *= 2) {
    const auto tried = fitting + (std::min(step, too_far - fitting) - 1);
    if (!fits(*tried)) {
      too_far = std::partition_point(fitting, tried, fits);
      break;
    }
    fitting = tried + 1;
  }
  return too_far == first ? from : *(too_far - 1);
}

/// Where a line from `from` on ends, at `to` at the latest: at the last break between words that
/// `fits`; within the first word where that is too long; behind one letter at least.
template <typename Fits>
std::size_t line_end(const LineBreaks& breaks, std::size_t from, std::size_t to, Fits&& fits) {
  std::size_t end = last_that_fits(breaks.words, from, to, fits);
  if (end == from) end = last_that_fits(breaks.letters, from, to, fits);
  if (end > from) return end;
  const auto letter = std::ranges::upper_bound(breaks.letters, from);
  return letter == breaks.letters.end() ? to : std::min(*letter, to);
}

}  // namespace lab::figure
