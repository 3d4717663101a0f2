#include "app/figure/text/line_breaks.h"

#include <pango/pango.h>

#include <string>

#include "app/base/unicode_text.h"

namespace lab::figure {
namespace {

constexpr std::string_view kReplacement = "\uFFFD";

// A text as Pango takes it, and where each of its characters ends in the original.
struct Readable {
  explicit Readable(std::string_view original) {
    text.reserve(original.size());
    for (std::size_t at = 0; at < original.size();) {
      const CodePoint character = code_point_at(original, at);
      text += character.value > 0 ? original.substr(at, character.size) : kReplacement;
      at += character.size;
      ends.push_back(at);
    }
  }

  std::string text;
  std::vector<std::size_t> ends;
};

// Pango reports a forced break at the end of every text, whatever is there.
bool ends_line(std::string_view text) {
  constexpr std::string_view kLineEnds[] = {"\n", "\v", "\f", "\r", "\u0085", "\u2028", "\u2029"};
  return std::ranges::any_of(kLineEnds, [text](auto end) { return text.ends_with(end); });
}

}  // namespace

LineBreaks line_breaks(std::string_view text) {
  const Readable readable(text);
  const std::size_t count = readable.ends.size();
  std::vector<PangoLogAttr> attributes(count + 1);
  pango_get_log_attrs(readable.text.data(), static_cast<int>(readable.text.size()), -1,
                      pango_language_get_default(), attributes.data(),
                      static_cast<int>(attributes.size()));
  LineBreaks breaks;
  for (std::size_t i = 0; i < count; ++i) {
    const PangoLogAttr& behind = attributes[i + 1];
    const std::size_t end = readable.ends[i];
    if (behind.is_line_break || i + 1 == count) breaks.words.push_back(end);
    if (behind.is_cursor_position) breaks.letters.push_back(end);
    if (behind.is_mandatory_break && (i + 1 < count || ends_line(text)))
      breaks.forced.push_back(end);
  }
  return breaks;
}

}  // namespace lab::figure
