#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "app/tokenizer/text/pattern.h"

// The decoders of tokenizer.json, by the names they have there. A Sequence is a list of them.

namespace lab::tokenizer {

/// Writes a blank for each end of a word.
struct BpeDecoder {
  std::string suffix = "</w>";
};

/// Writes the bytes that the characters of byte-level tokens stand for.
struct ByteLevelDecoder {};

/// Joins continued pieces and, with `cleanup`, takes blanks out before punctuation.
struct WordPieceDecoder {
  std::string prefix = "##";
  bool cleanup = true;
};

/// Writes a blank for each mark, except at the beginning unless `keep_first` is set.
struct MetaspaceDecoder {
  std::string replacement;  ///< one character
  bool keep_first = false;
};

/// Removes repetitions and padding, as for speech.
struct CtcDecoder {
  std::string pad_token = "<pad>";
  std::string word_delimiter_token = "|";
  bool cleanup = true;
};

/// Writes `content` for each match of `pattern`.
struct ReplaceDecoder {
  Pattern pattern;
  std::string content;
};

/// Joins all tokens.
struct FuseDecoder {};

/// Removes up to `start` characters `content` from the beginning and up to `stop` from the end.
struct StripDecoder {
  std::string content;  ///< one character
  std::size_t start = 0;
  std::size_t stop = 0;
};

/// Joins tokens such as "<0xE2>", which stand for bytes, to characters.
struct ByteFallbackDecoder {};

using Decoder =
    std::variant<BpeDecoder, ByteLevelDecoder, WordPieceDecoder, MetaspaceDecoder, CtcDecoder,
                 ReplaceDecoder, FuseDecoder, StripDecoder, ByteFallbackDecoder>;

/// `tokens` as `decoder` leaves them. Bytes that are no valid UTF-8 become U+FFFD.
std::vector<std::string> decode(const Decoder& decoder, std::vector<std::string> tokens);

}  // namespace lab::tokenizer
