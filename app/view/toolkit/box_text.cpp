#include "app/view/toolkit/box_text.h"

#include <algorithm>

#include "app/base/unicode_text.h"
#include "app/view/toolkit/imgui_compat.h"

namespace lab::view {
namespace {

constexpr unsigned kFirstCode = BoxText::kFirst, kCount = BoxText::kCount;

// Three bytes in UTF-8, EE 80 80 … EF A3 BF.
std::string private_character(std::size_t index) {
  const auto code = kFirstCode + static_cast<unsigned>(index);
  return {static_cast<char>(0xE0 | (code >> 12)), static_cast<char>(0x80 | ((code >> 6) & 0x3F)),
          static_cast<char>(0x80 | (code & 0x3F))};
}

// The first character of `text`, or its first byte if that is not part of a character.
std::string_view first_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  const std::string_view character = text.substr(0, length);
  return is_utf8(character) ? character : text.substr(0, 1);
}

// ImGui's text field only accepts valid characters.
bool is_lone_byte(std::string_view character) {
  return character.size() == 1 && static_cast<unsigned char>(character.front()) >= 0x80;
}

// The index of a private character in its area; kCount for every other character.
unsigned private_index(std::string_view character) {
  if (character.size() != 3) return kCount;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]) & 0x3FU; };
  const unsigned code =
      ((static_cast<unsigned char>(character[0]) & 0x0FU) << 12) | (byte(1) << 6) | byte(2);
  return code >= kFirstCode && code < kFirstCode + kCount ? code - kFirstCode : kCount;
}

}  // namespace

std::string BoxText::encode(std::string_view text) {
  std::string encoded;
  while (!text.empty()) {
    const std::string_view character = first_character(text);
    text.remove_prefix(character.size());
    // Private characters in the text itself are also replaced, so that they are not confused with
    // ours.
    const bool too_long = character.size() == 4 && !compat::kLongCharacters;
    const bool replace = too_long || is_lone_byte(character) || private_index(character) < kCount;
    auto known = std::ranges::find(kept_, character);
    if (replace && known == kept_.end() && kept_.size() < kCount) {
      known = kept_.insert(kept_.end(), std::string(character));
    }
    const bool kept = replace && known != kept_.end();
    encoded += kept ? private_character(static_cast<std::size_t>(known - kept_.begin()))
                    : std::string(character);
  }
  return encoded;
}

std::string BoxText::decode(std::string_view text) const {
  std::string decoded;
  while (!text.empty()) {
    const std::string_view character = first_character(text);
    text.remove_prefix(character.size());
    const unsigned index = private_index(character);
    decoded += index < kept_.size() ? std::string_view(kept_[index]) : character;
  }
  return decoded;
}

}  // namespace lab::view
