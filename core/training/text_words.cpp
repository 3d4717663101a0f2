#include "core/training/text_words.h"

#include <algorithm>
#include <array>

namespace attention::training {
namespace {

constexpr std::array<std::string_view, 10> kOtherMarks = {"¡", "«", "»", "¿", "–",
                                                          "—", "‘", "“", "”", "„"};
constexpr std::string_view kEllipsis = "…";

// Blanks of more than one byte: Unicode's White_Space.
constexpr std::array<std::string_view, 19> kWideBlanks = {
    "\u0085", "\u00a0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003",
    "\u2004", "\u2005", "\u2006", "\u2007", "\u2008", "\u2009", "\u200a",
    "\u2028", "\u2029", "\u202f", "\u205f", "\u3000"};

template <typename List>
std::size_t length_of_first(const List& list, std::string_view text) {
  const auto found =
      std::ranges::find_if(list, [&](std::string_view one) { return text.starts_with(one); });
  return found == list.end() ? 0 : found->size();
}

std::size_t blank_at(std::string_view text) {
  const char c = text.front();
  if (c == ' ' || (c >= '\t' && c <= '\r')) return 1;
  return static_cast<signed char>(c) >= 0 ? 0 : length_of_first(kWideBlanks, text);
}

std::size_t mark_at(std::string_view text) {
  const char c = text.front();
  const bool ascii = (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
                     (c >= '{' && c <= '~');
  if (ascii) return c == '\'' || c == '-' ? 0 : 1;
  if (static_cast<signed char>(c) >= 0) return 0;
  return text.starts_with(kEllipsis) ? kEllipsis.size() : length_of_first(kOtherMarks, text);
}

}  // namespace

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t blank = blank_at(text);
    std::size_t size = blank > 0 ? 0 : mark_at(text);
    if (blank == 0 && size == 0) do
        ++size;
      while (size < text.size() && blank_at(text.substr(size)) == 0 &&
             mark_at(text.substr(size)) == 0);
    if (size > 0) words.push_back(text.substr(0, size));
    text.remove_prefix(blank + size);
  }
  return words;
}

}  // namespace attention::training
