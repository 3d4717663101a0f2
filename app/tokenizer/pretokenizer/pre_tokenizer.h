#pragma once

#include <cstddef>
#include <string>
#include <variant>

#include "app/tokenizer/text/pattern.h"
#include "app/tokenizer/text/pieces.h"
#include "app/tokenizer/text/splitting.h"

// The pre-tokenizers of tokenizer.json, by the names they have there. A Sequence is a list of them.

namespace lab::tokenizer {

/// Cuts at white space, which is dropped, and makes each punctuation character a piece.
struct BertPreTokenizer {};

/// Cuts into words, with the blank before them, by GPT-2's expression, and writes a visible
/// character for each byte.
struct ByteLevelPreTokenizer {
  bool add_prefix_space = true;
  bool use_regex = true;
};

/// Cuts at a character, which is dropped.
struct CharDelimiterSplit {
  char32_t delimiter = U' ';
};

/// Cuts at numbers: each digit a piece, or each row of them.
struct Digits {
  bool individual_digits = false;
};

/// Cuts into pieces of `length` characters.
struct FixedLength {
  std::size_t length = 5;
};

/// When Metaspace writes a mark before a piece.
enum class PrependScheme { kFirst, kNever, kAlways };

/// Writes a mark for each blank, and cuts before each mark.
struct Metaspace {
  std::string replacement;  ///< one character
  PrependScheme prepend_scheme = PrependScheme::kAlways;
  bool split = true;
};

/// Cuts at punctuation.
struct Punctuation {
  SplitBehavior behavior = SplitBehavior::kIsolated;
};

/// Cuts where a pattern matches.
struct SplitPreTokenizer {
  Pattern pattern;
  SplitBehavior behavior = SplitBehavior::kIsolated;
  bool invert = false;
};

/// Cuts where the script changes. Characters without a script cut nowhere, and are dropped where a
/// piece begins with them.
struct UnicodeScripts {};

/// Cuts into words and rows of other characters; drops white space.
struct WhitespacePreTokenizer {};

/// Cuts at white space, which is dropped.
struct WhitespaceSplit {};

using PreTokenizer = std::variant<BertPreTokenizer, ByteLevelPreTokenizer, CharDelimiterSplit,
                                  Digits, FixedLength, Metaspace, Punctuation, SplitPreTokenizer,
                                  UnicodeScripts, WhitespacePreTokenizer, WhitespaceSplit>;

/// Cuts the pieces that are no added tokens. Throws BadInput when a pattern takes too long.
void pre_tokenize(const PreTokenizer& pre_tokenizer, Pieces& pieces);

}  // namespace lab::tokenizer
