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

  bool operator==(const BertNormalizer&) const = default;
};

/// NFC, NFD, NFKC, NFKD.
struct UnicodeNormalizer {
  NormalForm form = NormalForm::kNfc;

  bool operator==(const UnicodeNormalizer&) const = default;
};

/// Removes white space at the ends.
struct StripNormalizer {
  bool left = true;
  bool right = true;

  bool operator==(const StripNormalizer&) const = default;
};

/// Removes combining marks.
struct StripAccents {
  bool operator==(const StripAccents&) const = default;
};

/// Writes lower case.
struct Lowercase {
  bool operator==(const Lowercase&) const = default;
};

/// Removes control characters and writes blanks for other white space, as SentencePiece's nmt
/// rules.
struct Nmt {
  bool operator==(const Nmt&) const = default;
};

/// Writes `content` for each match of `pattern`.
struct ReplaceNormalizer {
  Pattern pattern;
  std::string content;

  bool operator==(const ReplaceNormalizer&) const = default;
};

/// Writes `text` before a piece that is not empty.
struct Prepend {
  std::string text;

  bool operator==(const Prepend&) const = default;
};

/// Writes a visible character for each byte (see byte_characters.h).
struct ByteLevelNormalizer {
  bool operator==(const ByteLevelNormalizer&) const = default;
};

using Normalizer =
    std::variant<BertNormalizer, UnicodeNormalizer, StripNormalizer, StripAccents, Lowercase, Nmt,
                 ReplaceNormalizer, Prepend, ByteLevelNormalizer, Precompiled>;

/// Normalizes each piece that is no added token. Throws BadInput when a pattern takes too long.
void normalize(const Normalizer& normalizer, Pieces& pieces);

/// `text` as the normalizers leave it when it is a separate piece.
std::string normalized(std::span<const Normalizer> normalizers, std::string_view text);

}  // namespace lab::tokenizer
