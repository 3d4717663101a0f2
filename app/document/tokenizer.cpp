#include "app/document/tokenizer.h"

#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/utext.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <stdexcept>

#include "app/translation/words.h"

namespace lab {

namespace {

using BreakIterator = std::unique_ptr<UBreakIterator, decltype(&ubrk_close)>;
using TextHandle = std::unique_ptr<UText, decltype(&utext_close)>;

// One character of a text, or one byte that belongs to none.
struct CodePoint {
  UChar32 value = 0;     // below 0: the byte is no UTF-8
  std::size_t size = 1;  // in bytes
  bool valid() const { return value >= 0; }
};

// The character at byte `at`, which must be inside `text`.
CodePoint code_point_at(std::string_view text, std::size_t at) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data()) + at;
  // No character is longer than 4 bytes, and ICU counts in 32 bits.
  const auto length = static_cast<std::int32_t>(std::min<std::size_t>(text.size() - at, 4));
  std::int32_t next = 0;
  UChar32 value = 0;
  U8_NEXT(bytes, next, length, value);
  if (value < 0) return {value, 1};
  return {value, static_cast<std::size_t>(next)};
}

BreakIterator open_break_iterator(TokenMode mode) {
  UErrorCode status = U_ZERO_ERROR;
  const auto type = mode == TokenMode::kWords ? UBRK_WORD : UBRK_CHARACTER;
  // The root locale, so that a sentence is cut alike on every machine.
  BreakIterator breaks(ubrk_open(type, "", nullptr, 0, &status), &ubrk_close);
  if (U_FAILURE(status)) throw std::runtime_error("ICU's rules for cutting text are missing");
  return breaks;
}

// False for text of which nothing shows: joiners, direction marks, variation selectors alone.
bool shows(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = code_point_at(text, at);
    if (!u_hasBinaryProperty(point.value, UCHAR_DEFAULT_IGNORABLE_CODE_POINT)) return true;
    at += point.size;
  }
  return false;
}

// Cuts `run`, valid UTF-8 without white space, and appends its tokens.
void cut_run(std::string_view run, UBreakIterator* breaks, std::vector<std::string>& tokens) {
  UErrorCode status = U_ZERO_ERROR;
  const TextHandle text(
      utext_openUTF8(nullptr, run.data(), static_cast<std::int64_t>(run.size()), &status),
      &utext_close);
  ubrk_setUText(breaks, text.get(), &status);
  if (U_FAILURE(status)) throw std::runtime_error("ICU could not read the sentence");
  std::int32_t begin = ubrk_first(breaks);
  for (std::int32_t end = ubrk_next(breaks); end != UBRK_DONE; end = ubrk_next(breaks)) {
    const std::string_view segment = run.substr(begin, end - begin);
    if (shows(segment)) tokens.emplace_back(segment);
    begin = end;
  }
}

// True for the characters that would turn the text around a label, or break its line.
bool disturbs(UChar32 value) {
  return (value >= 0x202A && value <= 0x202E) || (value >= 0x2066 && value <= 0x2069) ||
         value == 0x2028 || value == 0x2029;
}

// True for text of which a reader would see nothing: blanks and joiners.
bool is_blank(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = code_point_at(text, at);
    const bool unseen = u_isUWhiteSpace(point.value) ||
                        u_hasBinaryProperty(point.value, UCHAR_DEFAULT_IGNORABLE_CODE_POINT);
    if (!point.valid() || !unseen) return false;
    at += point.size;
  }
  return true;
}

// What printable() writes for one character that cannot be shown as it is; empty when it can.
// `blank`: nothing else shows beside it.
std::string stand_in(CodePoint point, unsigned char byte, bool blank) {
  std::array<char, 24> text{};
  if (!point.valid()) {
    std::snprintf(text.data(), text.size(), "⟨%02X⟩", byte);
  } else if (point.value < 0x20) {
    return {'\xE2', '\x90', static_cast<char>(0x80 + point.value)};  // U+2400 …
  } else if (point.value == 0x7F) {
    return "␡";
  } else if (blank && point.value == ' ') {
    return "␣";
  } else if (blank || u_charType(point.value) == U_CONTROL_CHAR || disturbs(point.value)) {
    std::snprintf(text.data(), text.size(), "⟨U+%04X⟩", static_cast<unsigned>(point.value));
  }
  return text.data();
}

}  // namespace

std::string_view token_mode_name(TokenMode mode) {
  return mode == TokenMode::kWords ? tr_later("words") : tr_later("characters");
}

std::optional<TokenMode> token_mode_from_name(std::string_view name) {
  for (const TokenMode mode : {TokenMode::kWords, TokenMode::kCharacters}) {
    if (token_mode_name(mode) == name) return mode;
  }
  return std::nullopt;
}

std::vector<std::string> tokenize(std::string_view sentence, TokenMode mode) {
  const BreakIterator breaks = open_break_iterator(mode);
  std::vector<std::string> tokens;
  std::size_t run = 0;  // where the present run of text begins
  const auto end_run = [&](std::size_t at) {
    if (at > run) cut_run(sentence.substr(run, at - run), breaks.get(), tokens);
  };
  for (std::size_t at = 0; at < sentence.size();) {
    const CodePoint point = code_point_at(sentence, at);
    const bool splits = !point.valid() || u_isUWhiteSpace(point.value);
    if (splits) end_run(at);
    if (!point.valid()) tokens.emplace_back(sentence.substr(at, 1));
    at += point.size;
    if (splits) run = at;
  }
  end_run(sentence.size());
  return tokens;
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = code_point_at(text, at);
    if (!point.valid()) return false;
    at += point.size;
  }
  return true;
}

std::string printable(std::string_view text) {
  std::string shown;
  const bool blank = is_blank(text);
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = code_point_at(text, at);
    const std::string replacement = stand_in(point, static_cast<unsigned char>(text[at]), blank);
    shown += replacement.empty() ? text.substr(at, point.size) : std::string_view(replacement);
    at += point.size;
  }
  return shown;
}

}  // namespace lab
