#include "app/document/splitting/segments.h"

#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/utext.h>

#include <cstdint>
#include <memory>
#include <stdexcept>

#include "app/base/unicode_text.h"
#include "app/translation/words.h"

namespace lab {

using tokenizer::TextRange;

namespace {

using BreakIterator = std::unique_ptr<UBreakIterator, decltype(&ubrk_close)>;
using TextHandle = std::unique_ptr<UText, decltype(&utext_close)>;

BreakIterator open_break_iterator(TokenMode mode) {
  UErrorCode status = U_ZERO_ERROR;
  const auto type = mode == TokenMode::kWords ? UBRK_WORD : UBRK_CHARACTER;
  // The root locale, so that a sentence is split the same way on every machine.
  BreakIterator breaks(ubrk_open(type, "", nullptr, 0, &status), &ubrk_close);
  if (U_FAILURE(status)) throw std::runtime_error("ICU's rules for cutting text are missing");
  return breaks;
}

// False for invisible text: joiners, direction marks, variation selectors alone.
bool is_visible(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = code_point_at(text, at);
    if (!u_hasBinaryProperty(point.value, UCHAR_DEFAULT_IGNORABLE_CODE_POINT)) return true;
    at += point.size;
  }
  return false;
}

TextRange range_of(std::size_t first, std::size_t size) {
  return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(first + size)};
}

// Splits `run`, valid UTF-8 without white space that begins at byte `start` of the sentence, and
// appends its tokens.
void split_run(std::string_view run, std::size_t start, UBreakIterator* breaks,
               std::vector<TextRange>& tokens) {
  UErrorCode status = U_ZERO_ERROR;
  const TextHandle text(
      utext_openUTF8(nullptr, run.data(), static_cast<std::int64_t>(run.size()), &status),
      &utext_close);
  ubrk_setUText(breaks, text.get(), &status);
  if (U_FAILURE(status)) throw std::runtime_error("ICU could not read the sentence");
  std::int32_t begin = ubrk_first(breaks);
  for (std::int32_t end = ubrk_next(breaks); end != UBRK_DONE; end = ubrk_next(breaks)) {
    const std::string_view segment = run.substr(begin, end - begin);
    if (is_visible(segment))
      tokens.push_back(range_of(start + static_cast<std::size_t>(begin), segment.size()));
    begin = end;
  }
}

}  // namespace

std::string_view token_mode_name(TokenMode mode) {
  switch (mode) {
    case TokenMode::kWords:
      return tr_later("words");
    case TokenMode::kCharacters:
      return tr_later("characters");
    case TokenMode::kTokenizer:
      return "tokenizer";
  }
  return {};
}

std::optional<TokenMode> token_mode_from_name(std::string_view name) {
  for (const TokenMode mode : {TokenMode::kWords, TokenMode::kCharacters, TokenMode::kTokenizer}) {
    if (token_mode_name(mode) == name) return mode;
  }
  return std::nullopt;
}

std::vector<TextRange> segments(std::string_view sentence, TokenMode mode) {
  const BreakIterator breaks = open_break_iterator(mode);
  std::vector<TextRange> tokens;
  std::size_t run = 0;  // where the current run of text begins
  const auto end_run = [&](std::size_t at) {
    if (at > run) split_run(sentence.substr(run, at - run), run, breaks.get(), tokens);
  };
  for (std::size_t at = 0; at < sentence.size();) {
    const CodePoint point = code_point_at(sentence, at);
    const bool splits = !point.valid() || u_isUWhiteSpace(point.value);
    if (splits) end_run(at);
    if (!point.valid()) tokens.push_back(range_of(at, 1));
    at += point.size;
    if (splits) run = at;
  }
  end_run(sentence.size());
  return tokens;
}

}  // namespace lab
