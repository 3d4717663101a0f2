#include "app/base/text_direction.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>

#include "app/base/visible_text.h"

namespace lab {
namespace {

struct Block {
  char32_t first, last;
};
// Of Unicode: Hebrew to Arabic Extended-A, their presentation forms, and the ancient scripts.
constexpr std::array kRightToLeft{Block{0x0590, 0x08FF}, Block{0xFB1D, 0xFDFF},
                                  Block{0xFE70, 0xFEFC}, Block{0x10800, 0x10FFF},
                                  Block{0x1E800, 0x1EFFF}};

bool is_right_to_left(char32_t c) {
  return std::ranges::any_of(kRightToLeft,
                             [c](Block block) { return c >= block.first && c <= block.last; });
}

/// The direction of `c` itself, if it has one.
Direction flow_of(char32_t c) {
  constexpr char32_t kLeftToRightMark = 0x200E, kRightToLeftMark = 0x200F;
  if (c == kRightToLeftMark) return Direction::kLeftwards;
  if (!u_isalpha(static_cast<UChar32>(c)) && c != kLeftToRightMark) return Direction::kNone;
  return is_right_to_left(c) ? Direction::kLeftwards : Direction::kRightwards;
}

/// For each character, whether it runs from right to left. A character without a direction follows
/// its neighbours where they agree, else the text.
std::vector<bool> directions(const std::u32string& characters, bool text_right_to_left) {
  std::vector<bool> right_to_left(characters.size(), text_right_to_left);
  bool before = text_right_to_left;
  std::size_t undecided = 0;  // where the characters without a direction begin
  for (std::size_t i = 0; i < characters.size(); ++i) {
    const bool is_number = text_right_to_left && u_isdigit(static_cast<UChar32>(characters[i]));
    const Direction flow = is_number ? Direction::kRightwards : flow_of(characters[i]);
    if (flow == Direction::kNone) continue;
    const bool here = flow == Direction::kLeftwards;
    const auto begin = right_to_left.begin();
    if (here == before)
      std::fill(begin + static_cast<std::ptrdiff_t>(undecided),
                begin + static_cast<std::ptrdiff_t>(i), here);
    right_to_left[i] = before = here;
    undecided = i + 1;
  }
  return right_to_left;
}

// Invalid UTF-8 decodes to characters that do not matter here.
bool has_right_to_left(const std::string& text) {
  char32_t character = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const unsigned lead_bits = byte < 0x80 ? 0x7F : byte < 0xE0 ? 0x1F : byte < 0xF0 ? 0x0F : 0x07;
    const bool continues = (byte & 0xC0) == 0x80;
    character = continues ? (character << 6) | (byte & 0x3FU) : byte & lead_bits;
    const bool whole = i + 1 == text.size() || (text[i + 1] & 0xC0) != 0x80;
    if (whole && is_right_to_left(character)) return true;
  }
  return false;
}

}  // namespace

std::string isolated(const std::string& text) {
  return has_right_to_left(text) ? "\u2068" + text + "\u2069" : text;
}

std::string pair_text(const std::string& query, const std::string& key) {
  const std::string pair = isolated(query) + " → " + isolated(key);
  return has_right_to_left(pair) ? "\u200E" + pair : pair;
}

Direction direction_of(std::string_view text) {
  for (const char32_t c : visible_characters(text))
    if (const Direction flow = flow_of(c); flow != Direction::kNone) return flow;
  return Direction::kNone;
}

bool runs_right_to_left(std::string_view text) {
  return direction_of(text) == Direction::kLeftwards;
}

std::vector<DirectionRun> direction_runs(std::string_view text) {
  const std::u32string characters = visible_characters(text);
  const std::vector<bool> right_to_left = directions(characters, runs_right_to_left(text));
  std::vector<DirectionRun> runs;
  for (std::size_t i = 0; i < characters.size(); ++i) {
    if (runs.empty() || runs.back().right_to_left != right_to_left[i])
      runs.push_back({{}, right_to_left[i]});
    append_utf8(runs.back().text, characters[i]);
  }
  return runs;
}

}  // namespace lab
