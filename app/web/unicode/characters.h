#pragma once

#include <cstdint>

// What the page tells about characters and text, by JavaScript's \p{…}, String and Intl.Segmenter:
// app/web/page/unicode.js.

#define LAB_IMPORT(name) __attribute__((import_module("unicode"), import_name(#name)))

namespace lab::web {

/// The general category of a character, numbered as ICU's UCharCategory, and above it a bit for
/// each property of Property.
extern "C" LAB_IMPORT(properties) std::uint32_t page_properties(std::int32_t character);

/// Bits of page_properties().
enum Property : std::uint32_t {
  kCategory = 0xFF,
  kWhiteSpace = 1U << 8,
  kDefaultIgnorable = 1U << 9,
  kCased = 1U << 10,
};

/// The character in lower case where that is one character, else itself.
extern "C" LAB_IMPORT(lower) std::int32_t page_lower(std::int32_t character);

/// Writes a text (UTF-8) in lower or upper case into `result`, which has room for three times its
/// `size`; returns how many bytes that is.
extern "C" LAB_IMPORT(in_case) std::int32_t
    page_in_case(bool upper, const char* text, std::int32_t size, char* result);

/// Writes where each word (or character, as a reader sees it) of a text ends, in bytes, into
/// `ends`, which has room for `size` of them; returns how many there are. The text is UTF-8.
extern "C" LAB_IMPORT(segments) std::int32_t
    page_segments(bool words, const char* text, std::int32_t size, std::int32_t* ends);

}  // namespace lab::web
