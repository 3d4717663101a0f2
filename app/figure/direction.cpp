#include "app/figure/direction.h"

#include <algorithm>
#include <array>

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

// Broken UTF-8 gives characters that do not matter here.
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

}  // namespace lab
