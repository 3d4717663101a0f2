#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "app/tokenizer/normalizer/precompiled.h"
#include "app/tokenizer/text/pattern.h"
#include "app/tokenizer/text/pieces.h"
#include "app/tokenizer/unicode/normal_form.h"

// The normalizers of tokenizer.json, by the names they have there. A Sequence is a list of them.

namespace lab::tokenizer {

/// Cleans text as BERT does: removes control characters, writes blanks around ideographs, removes
/// accents, writes lower case.
struct BertNormalizer {
  bool clean_text = true;
  bool handle_chinese_chars = true;
  std::optional<bool> strip_accents;  ///< as `lowercase` says, if not set
  bool lowercase = true;
};

/// NFC, NFD, NFKC, NFKD.
struct UnicodeNormalizer {
  NormalForm form = NormalForm::kNfc;
};

/// Removes white space at the ends.
struct StripNormalizer {
  bool left = true;
  bool right = true;
};

/// Removes combining marks.
struct StripAccents {};

/// Writes lower case.
struct Lowercase {};

/// Removes control characters and writes blanks for other white space, as SentencePiece's nmt
/// rules.
struct Nmt {};

/// Writes `content` for each match of `pattern`.
struct ReplaceNormalizer {
  Pattern pattern;
  std::string content;
};

/// Writes `text` before a piece that is not empty.
struct Prepend {
  std::string text;
};

/// Writes a visible character for each byte (see byte_characters.h).
struct ByteLevelNormalizer {};

using Normalizer =
    std::variant<BertNormalizer, UnicodeNormalizer, StripNormalizer, StripAccents, Lowercase, Nmt,
                 ReplaceNormalizer, Prepend, ByteLevelNormalizer, Precompiled>;

/// Normalizes each piece that is no added token. Throws BadInput when a pattern takes too long.
void normalize(const Normalizer& normalizer, Pieces& pieces);

/// `text` as the normalizers leave it when it is a piece of its own.
std::string normalized(std::span<const Normalizer> normalizers, std::string_view text);

}  // namespace lab::tokenizer
