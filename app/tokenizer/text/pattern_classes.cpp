#include "app/tokenizer/text/pattern_classes.h"

#include <array>
#include <cstdio>

#include "app/tokenizer/unicode/properties.h"

namespace lab::tokenizer {
namespace {

// A character class of Oniguruma; it may stand within another one.
std::string class_text(std::span<const CodePointRange> ranges, bool inverted) {
  std::string text = inverted ? "[^" : "[";
  for (const CodePointRange& range : ranges) {
    std::array<char, 40> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "\\x{%X}-\\x{%X}",
                  static_cast<unsigned>(range.first), static_cast<unsigned>(range.last));
    text += buffer.data();
  }
  return text + "]";
}

// A property that the expression spells: its name, whether it is inverted, its number of bytes.
struct SpeltProperty {
  std::string name;
  bool inverted = false;
  std::size_t size = 0;
};

// The property that begins at the backslash at `at`; no name if none does. `in_brackets` is true
// within a character class, where the reference's \w lacks six characters.
SpeltProperty spelt_property(std::string_view expression, std::size_t at, bool in_brackets) {
  if (at + 1 >= expression.size()) return {};
  const char kind = expression[at + 1];
  if (kind == 'w' || kind == 'W')
    return {in_brackets ? "word in brackets" : "word", kind == 'W', 2};
  if (kind == 'd' || kind == 'D') return {"digit", kind == 'D', 2};
  if (kind != 'p' && kind != 'P') return {};
  const std::string_view rest = expression.substr(at + 2);
  const std::size_t end = rest.find('}');
  if (!rest.starts_with('{') || end == rest.npos) return {};
  const bool caret = rest.starts_with("{^");
  const std::size_t first = caret ? 2 : 1;
  return {std::string(rest.substr(first, end - first)), caret != (kind == 'P'), end + 3};
}

}  // namespace

std::string with_reference_classes(std::string_view expression) {
  std::string result;
  std::size_t open_brackets = 0;
  for (std::size_t at = 0; at < expression.size();) {
    if (expression[at] != '\\') {
      if (expression[at] == '[') ++open_brackets;
      if (expression[at] == ']' && open_brackets > 0) --open_brackets;
      result += expression[at++];
      continue;
    }
    const SpeltProperty property = spelt_property(expression, at, open_brackets > 0);
    const auto ranges = property_ranges(property.name);
    if (ranges.empty()) {
      result += expression.substr(at, 2);
      at += 2;
    } else {
      result += class_text(ranges, property.inverted);
      at += property.size;
    }
  }
  return result;
}

}  // namespace lab::tokenizer
