#include "app/tokenizer/text/byte_characters.h"

#include <array>

#include "app/tokenizer/unicode/utf8.h"

namespace lab::tokenizer {
namespace {

constexpr bool stands_for_itself(unsigned byte) {
  return (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

constexpr std::array<char32_t, 256> kCharacters = [] {
  std::array<char32_t, 256> characters{};
  char32_t next = 256;
  for (unsigned byte = 0; byte < 256; ++byte)
    characters[byte] = stands_for_itself(byte) ? static_cast<char32_t>(byte) : next++;
  return characters;
}();

constexpr std::size_t kCharacterCount = 256 + 68;

constexpr std::array<int, kCharacterCount> kBytes = [] {
  std::array<int, kCharacterCount> bytes{};
  bytes.fill(-1);
  for (unsigned byte = 0; byte < 256; ++byte) bytes[kCharacters[byte]] = static_cast<int>(byte);
  return bytes;
}();

}  // namespace

char32_t character_of_byte(unsigned char byte) { return kCharacters[byte]; }

std::optional<unsigned char> byte_of_character(char32_t character) {
  if (character >= kCharacterCount || kBytes[character] < 0) return std::nullopt;
  return static_cast<unsigned char>(kBytes[character]);
}

void write_bytes_as_characters(std::string_view text, Rewriter& rewriter) {
  for (const char byte : text) {
    const char32_t character = character_of_byte(static_cast<unsigned char>(byte));
    if (continues_character(byte))
      rewriter.insert(character);
    else
      rewriter.replace(character);
  }
}

}  // namespace lab::tokenizer
