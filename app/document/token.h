#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/tokenizer/text/aligned_text.h"

namespace lab {

/// One position of the sentence.
struct Token {
  std::string text;        ///< as typed; a piece of a tokenizer.json as its vocabulary spells it
  std::string key;         ///< names the row of the embedding table; the text, unless a file gave
                           ///< equal words different rows
  std::string shown = {};  ///< how a person reads the piece, "·it" for "Ġit"; empty: as its text
  std::string word = {};   ///< what it stands for in the sentence, without blanks at its ends,
                           ///< "it" for "Ġit"; empty: its text
  std::optional<std::uint32_t> id = {};  ///< of the piece in its vocabulary
  tokenizer::TextRange bytes = {};       ///< of the piece in the sentence; empty: added to it
  bool from_template = false;            ///< a chat template wrote it: no character is of a turn
  bool operator==(const Token&) const = default;
};

/// What labels `token`, printable.
std::string token_label(const Token& token);

/// A label of a row or column within a sentence or between commas: a punctuation mark alone is in
/// quotes, “,”, and text that runs from right to left keeps to itself.
std::string label_in_text(const std::string& label);

/// The text of each of `tokens`.
std::vector<std::string> texts_of(const std::vector<Token>& tokens);

/// By what `token` is followed through an edit: its word.
inline const std::string& followed_token(const Token& token) {
  return token.word.empty() ? token.text : token.word;
}
/// The same for each of `tokens`.
std::vector<std::string> followed_tokens(const std::vector<Token>& tokens);

}  // namespace lab
