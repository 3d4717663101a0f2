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

/// The title case of a character where that is one character, else itself.
extern "C" LAB_IMPORT(title) std::int32_t page_title(std::int32_t character);

/// Writes the decomposition of a character (canonical, or also compatible) as code points into
/// `result`, which has room for 18; returns how many there are, 1 where it stays as it is.
extern "C" LAB_IMPORT(decompose) std::int32_t
    page_decompose(std::int32_t character, bool compatible, std::int32_t* result);

/// The character that two are composed to; −1 when they are not.
extern "C" LAB_IMPORT(compose) std::int32_t page_compose(std::int32_t first, std::int32_t second);

/// A regular expression in JavaScript's syntax (flags g, s, u): its number, or −1.
extern "C" LAB_IMPORT(new_expression) std::int32_t
    page_new_expression(const char* text, std::int32_t size);
/// See page_new_expression().
extern "C" LAB_IMPORT(forget_expression) void page_forget_expression(std::int32_t expression);

/// Begins the searches of an expression in a text (UTF-8): their number.
extern "C" LAB_IMPORT(begin_search) std::int32_t
    page_begin_search(std::int32_t expression, const char* text, std::int32_t size);
/// See page_begin_search().
extern "C" LAB_IMPORT(end_search) void page_end_search(std::int32_t search);
/// Finds the first match from byte `from` on: writes its first byte and that after its last one
/// into `range`. False when there is none.
extern "C" LAB_IMPORT(search) bool page_search(std::int32_t search, std::int32_t from,
                                               std::int32_t* range);

}  // namespace lab::web
