#pragma once

#include <cstdint>
#include <string_view>

#include "app/tokenizer/text/aligned_text.h"

namespace lab::tokenizer {

/// A piece of the vocabulary that a model found in a word.
struct ModelToken {
  std::uint32_t id = 0;
  TextRange bytes;        ///< of the word
  bool own_text = false;  ///< its text is that of the word, not that of the vocabulary
};

}  // namespace lab::tokenizer
