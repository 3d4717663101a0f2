#include "app/base/names.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <cctype>

#include "app/base/unicode_text.h"
#include "app/base/visible_text.h"

namespace lab {
namespace {

// Only the letters and digits, in lower case.
std::string plain(std::string_view name) {
  std::string text;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0) text += static_cast<char>(std::tolower(byte));
  }
  return text;
}

// How many letters must be inserted, deleted, replaced, or swapped with their neighbour to turn `a`
// into `b` (the Damerau–Levenshtein distance of adjacent letters).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

// How many slips a name of this length tolerates. Short names are too similar to allow any: W_Q and
// W_K differ in one letter.
std::size_t tolerated(std::size_t length) { return length < 4 ? 0 : length < 8 ? 1 : 2; }

constexpr int kMostWords = 5;
constexpr std::size_t kMostBytes = 40;
constexpr std::int32_t kApostrophe = '\'', kRoundApostrophe = 0x2019;

bool belongs_to_word(std::int32_t character) {
  const int type = u_charType(character);
  return u_isalnum(character) != 0 || type == U_NON_SPACING_MARK ||
         type == U_COMBINING_SPACING_MARK;
}

}  // namespace

std::string suggested_name(std::string_view name, const std::vector<std::string>& known) {
  constexpr std::size_t kLongest = 64;
  if (name.size() > kLongest) return {};
  const std::string given = plain(name);
  for (const std::string& candidate : known) {
    const std::string spelling = plain(candidate);
    if (distance(given, spelling) <= tolerated(spelling.size())) return candidate;
  }
  return {};
}

std::string short_name(std::string_view text) {
  std::string name;
  bool between = false;
  int words = 1;
  for (std::size_t at = 0; at < text.size() && name.size() < kMostBytes;) {
    const CodePoint point = code_point_at(text, at);
    at += point.size;
    if (!point.valid() || point.value == kApostrophe || point.value == kRoundApostrophe) continue;
    if (!belongs_to_word(point.value)) {
      between = !name.empty();
      continue;
    }
    if (between && ++words > kMostWords) break;
    if (between) name += '-';
    between = false;
    append_utf8(name, static_cast<char32_t>(u_tolower(point.value)));
  }
  return name;
}

}  // namespace lab
