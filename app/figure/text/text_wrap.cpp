#include "app/figure/text/text_wrap.h"

#include <pango/pango.h>

#include <algorithm>

#include "app/base/visible_text.h"

namespace lab::figure {
namespace {

constexpr std::size_t kLongestTitle = 4096;  // characters that are looked at

/// Where a line may end: after how many of `characters`; and for each, whether it is between words.
struct Breaks {
  explicit Breaks(const std::u32string& characters) {
    const std::string text = utf8(characters);
    std::vector<PangoLogAttr> attributes(characters.size() + 1);
    pango_get_log_attrs(text.data(), static_cast<int>(text.size()), -1,
                        pango_language_get_default(), attributes.data(),
                        static_cast<int>(attributes.size()));
    for (std::size_t i = 1; i < attributes.size(); ++i) {
      if (attributes[i].is_line_break) words.push_back(i);
      if (attributes[i].is_cursor_position) letters.push_back(i);
    }
  }

  std::vector<std::size_t> words, letters;  // letters: whole ones, with their accents
};

/// UTF-8 without the spaces at both ends.
std::string trimmed(std::u32string_view line) {
  const auto first = line.find_first_not_of(U' ');
  if (first == std::u32string_view::npos) return {};
  return utf8(line.substr(first, line.find_last_not_of(U' ') - first + 1));
}

/// The last of `ends` after `from` that `fits`; `from` if there is none.
template <typename Fits>
std::size_t last_that_fits(const std::vector<std::size_t>& ends, std::size_t from, Fits&& fits) {
  const auto first = std::ranges::upper_bound(ends, from);
  const auto too_far = std::partition_point(first, ends.end(), fits);
  return too_far == first ? from : *(too_far - 1);
}

}  // namespace

std::vector<std::string> wrapped(const TextRuler& ruler, const std::string& text, shape::Face face,
                                 double size, double width, std::size_t most_lines) {
  std::u32string characters = valid_characters(text);
  if (characters.size() > kLongestTitle) characters.resize(kLongestTitle), characters += U'…';
  const std::u32string_view all = characters;
  const Breaks breaks(characters);
  std::vector<std::string> lines;
  for (std::size_t from = 0; from < all.size();) {
    const auto fits = [&](std::size_t end) {
      return ruler.width(trimmed(all.substr(from, end - from)), face, size) <= width;
    };
    std::size_t end = all.size();
    const bool last = lines.size() + 1 == most_lines;
    if (!last && !fits(end)) end = last_that_fits(breaks.words, from, fits);
    if (end == from) end = last_that_fits(breaks.letters, from, fits);
    if (end == from) end = all.size();
    lines.push_back(ruler.shortened(trimmed(all.substr(from, end - from)), face, size, width));
    from = end;
  }
  std::erase(lines, "");
  return lines;
}

}  // namespace lab::figure
