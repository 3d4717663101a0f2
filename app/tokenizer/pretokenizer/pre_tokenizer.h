#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "app/tokenizer/text/pattern.h"
#include "app/tokenizer/text/pieces.h"

namespace lab::tokenizer {

/// What becomes of the parts of a text that a pattern matches when the text is cut there.
enum class SplitBehavior {
  kRemoved,             ///< they are dropped
  kIsolated,            ///< each is a separate piece
  kMergedWithPrevious,  ///< each ends the piece before it
  kMergedWithNext,      ///< each begins the piece after it
  kContiguous,          ///< neighbours that match are one piece, and so are those that do not
};

// The pre-tokenizers of tokenizer.json, by the names they have there. A Sequence is a list of them.

/// Cuts at white space, which is dropped, and makes each punctuation character a piece.
struct BertPreTokenizer {
  bool operator==(const BertPreTokenizer&) const = default;
};

/// Cuts into words, with the blank before them, by GPT-2's expression, and writes a visible
/// character for each byte.
struct ByteLevelPreTokenizer {
  bool add_prefix_space = true;
  bool use_regex = true;

  bool operator==(const ByteLevelPreTokenizer&) const = default;
};

/// Cuts at a character, which is dropped.
struct CharDelimiterSplit {
  char32_t delimiter = U' ';

  bool operator==(const CharDelimiterSplit&) const = default;
};

/// Cuts at numbers: each digit a piece, or each row of them.
struct Digits {
  bool individual_digits = false;

  bool operator==(const Digits&) const = default;
};

/// Cuts into pieces of `length` characters.
struct FixedLength {
  std::size_t length = 5;

  bool operator==(const FixedLength&) const = default;
};

/// When Metaspace writes a mark before a piece.
enum class PrependScheme { kFirst, kNever, kAlways };

/// Writes a mark for each blank, and cuts before each mark.
struct Metaspace {
  std::string replacement;  ///< one character
  PrependScheme prepend_scheme = PrependScheme::kAlways;
  bool split = true;

  bool operator==(const Metaspace&) const = default;
};

/// Cuts at punctuation.
struct Punctuation {
  SplitBehavior behavior = SplitBehavior::kIsolated;

  bool operator==(const Punctuation&) const = default;
};

/// Cuts where a pattern matches.
struct SplitPreTokenizer {
  Pattern pattern;
  SplitBehavior behavior = SplitBehavior::kIsolated;
  bool invert = false;

  bool operator==(const SplitPreTokenizer&) const = default;
};

/// Cuts where the script changes. Characters without a script cut nowhere, and are dropped where a
/// piece begins with them.
struct UnicodeScripts {
  bool operator==(const UnicodeScripts&) const = default;
};

/// Cuts into words and rows of other characters; drops white space.
struct WhitespacePreTokenizer {
  bool operator==(const WhitespacePreTokenizer&) const = default;
};

/// Cuts at white space, which is dropped.
struct WhitespaceSplit {
  bool operator==(const WhitespaceSplit&) const = default;
};

using PreTokenizer = std::variant<BertPreTokenizer, ByteLevelPreTokenizer, CharDelimiterSplit,
                                  Digits, FixedLength, Metaspace, Punctuation, SplitPreTokenizer,
                                  UnicodeScripts, WhitespacePreTokenizer, WhitespaceSplit>;

/// Cuts the pieces that are no added tokens. Throws BadInput when a pattern takes too long.
void pre_tokenize(const PreTokenizer& pre_tokenizer, Pieces& pieces);

}  // namespace lab::tokenizer
