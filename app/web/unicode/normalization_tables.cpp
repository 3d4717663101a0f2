// app/tokenizer/unicode/normalization_tables.h, by JavaScript, and title case.
#include "app/tokenizer/unicode/normalization_tables.h"

#include <unicode/uchar.h>

#include <array>

#include "app/base/letter_case.h"
#include "app/base/visible_text.h"
#include "app/tokenizer/unicode/ranges.h"
#include "app/web/unicode/characters.h"

namespace lab {

std::string title_case(std::int32_t character) {
  std::string text;
  append_utf8(text, static_cast<char32_t>(web::page_title(character)));
  return text;
}

}  // namespace lab

namespace lab::tokenizer {
namespace {

struct ValueRange {
  char32_t first = 0, last = 0;
  int value = 0;
};

constexpr ValueRange kDecompositions[] = {
#include "app/web/unicode/old_decompositions.inc"
};
constexpr ValueRange kClasses[] = {
#include "app/web/unicode/old_classes.inc"
};
constexpr ValueRange kSeconds[] = {
#include "app/web/unicode/old_seconds.inc"
};
constexpr int kCanonically = 2;

int value_of(std::span<const ValueRange> table, char32_t character) {
  const ValueRange* const range = entry_of(table, character);
  return range == nullptr ? 0 : range->value;
}

}  // namespace

std::u32string decomposition(char32_t character, bool compatible) {
  const int how = value_of(kDecompositions, character);
  if (how == 0 || (how != kCanonically && !compatible)) return {};
  std::array<std::int32_t, 18> parts{};
  const std::int32_t count =
      web::page_decompose(static_cast<std::int32_t>(character), compatible, parts.data());
  return {parts.begin(), parts.begin() + count};
}

int combining_class(char32_t character) { return value_of(kClasses, character); }

std::optional<char32_t> composition(char32_t first, char32_t second) {
  if (value_of(kSeconds, second) == 0) return std::nullopt;
  const std::int32_t whole =
      web::page_compose(static_cast<std::int32_t>(first), static_cast<std::int32_t>(second));
  if (whole < 0) return std::nullopt;
  return static_cast<char32_t>(whole);
}

}  // namespace lab::tokenizer
