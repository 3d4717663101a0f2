#pragma once

#include <optional>

#include "app/tokenizer/text/rewriter.h"

// Byte-level tokenizers write a visible character for each byte of a text: itself for a visible
// character of Latin-1, and U+0100 and those after it for the 68 other bytes (a blank is Ġ,
// U+0120).

namespace lab::tokenizer {

/// The character that stands for `byte`.
char32_t character_of_byte(unsigned char byte);

/// The byte that `character` stands for, if any.
std::optional<unsigned char> byte_of_character(char32_t character);

/// Writes the characters that stand for the bytes of `text`, the piece that `rewriter` passes over.
void write_bytes_as_characters(std::string_view text, Rewriter& rewriter);

}  // namespace lab::tokenizer
