#include "app/figure/text/text_wrap.h"

#include "app/base/strings.h"
#include "app/base/visible_text.h"
#include "app/figure/text/line_breaks.h"

namespace lab::figure {
namespace {

constexpr std::size_t kLongestTitle = 4096;  // characters that are looked at

}  // namespace

std::vector<std::string> wrapped(const TextRuler& ruler, const std::string& text, shape::Face face,
                                 double size, double width, std::size_t most_lines) {
  std::u32string characters = valid_characters(text);
  if (characters.size() > kLongestTitle) characters.resize(kLongestTitle), characters += U'…';
  const std::string valid = utf8(characters);
  const std::string_view all = valid;
  const LineBreaks breaks = line_breaks(all);
  std::vector<std::string> lines;
  for (std::size_t from = 0; from < all.size();) {
    const auto line_to = [&](std::size_t end) {
      return std::string(trimmed(all.substr(from, end - from), " "));
    };
    const auto fits = [&](std::size_t end) {
      return ruler.width(line_to(end), face, size) <= width;
    };
    std::size_t end = all.size();
    const bool last = lines.size() + 1 == most_lines;
    if (!last && !fits(end)) end = last_that_fits(breaks.words, from, all.size(), fits);
    if (end == from) end = last_that_fits(breaks.letters, from, all.size(), fits);
    if (end == from) end = all.size();
    lines.push_back(ruler.shortened(line_to(end), face, size, width));
    from = end;
  }
  std::erase(lines, "");
  return lines;
}

}  // namespace lab::figure
