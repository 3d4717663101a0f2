#include "app/document/token.h"

#include <algorithm>
#include <cctype>

#include "app/base/text_direction.h"
#include "app/base/visible_text.h"
#include "app/translation/words.h"

namespace lab {

std::string token_label(const Token& token) {
  return printable(token.shown.empty() ? token.text : token.shown);
}

std::string label_in_text(const std::string& label) {
  const auto is_mark = [](char c) { return std::ispunct(static_cast<unsigned char>(c)) != 0; };
  const bool marks = !label.empty() && std::ranges::all_of(label, is_mark);
  return marks ? tr("“{}”", {label}) : isolated(label);
}

std::vector<std::string> texts_of(const std::vector<Token>& tokens) {
  std::vector<std::string> texts;
  texts.reserve(tokens.size());
  for (const Token& token : tokens) texts.push_back(token.text);
  return texts;
}

std::vector<std::string> followed_tokens(const std::vector<Token>& tokens) {
  std::vector<std::string> words;
  words.reserve(tokens.size());
  for (const Token& token : tokens) words.push_back(followed_token(token));
  return words;
}

}  // namespace lab
