#include "app/document/token.h"

#include "app/base/printable.h"

namespace lab {

std::string token_label(const Token& token) {
  return printable(token.shown.empty() ? token.text : token.shown);
}

std::vector<std::string> followed_words(const std::vector<Token>& tokens) {
  std::vector<std::string> words;
  words.reserve(tokens.size());
  for (const Token& token : tokens) words.push_back(followed_word(token));
  return words;
}

}  // namespace lab
