#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/tokenizer/text/aligned_text.h"

namespace lab::tokenizer {

/// One token of a text.
struct Token {
  std::uint32_t id = 0;
  std::string text;            ///< the piece as the vocabulary spells it, such as "Ġit" or "##s"
  TextRange bytes;             ///< of the original text; empty if it has none
  TextRange characters;        ///< the same in characters
  std::uint32_t type_id = 0;   ///< which part of the input it belongs to, to models like BERT
  bool special = false;        ///< added by the post-processor: not part of the text
  std::uint32_t sequence = 0;  ///< 0: of the first text, 1: of the second; 0 for special tokens
};

/// The tokens of a text, or of two.
using Encoding = std::vector<Token>;

}  // namespace lab::tokenizer
