#pragma once

#include <string>

namespace lab {

/// One position of the sentence.
struct Token {
  std::string text;  ///< as typed
  std::string key;   ///< names the row of the embedding table; the text, unless a file gave equal
                     ///< words different rows
  bool operator==(const Token&) const = default;
};

}  // namespace lab
