#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/error.h"
#include "app/document/splitting/segments.h"
#include "app/document/token.h"

namespace lab {

namespace tokenizer {
class Tokenizer;
}

/// A tokenizer.json and the name it is opened by.
struct NamedTokenizer {
  std::string name;  ///< of a built-in one ("english"), else the path of a file or a folder
  std::shared_ptr<const tokenizer::Tokenizer> opened = {};  ///< null: it is not open

  /// Compares the names: what a file contains is compared by the tokens that it gives.
  bool operator==(const NamedTokenizer& other) const { return name == other.name; }
};

/// How the sentences of a document are split into tokens.
struct Splitting {
  TokenMode mode = TokenMode::kWords;
  NamedTokenizer tokenizer = {};  ///< of kTokenizer
  bool special_tokens = true;     ///< kTokenizer adds tokens such as [CLS]

  bool operator==(const Splitting&) const = default;
};

/// The tokens of `sentence` (UTF-8), each with its own text as key: see segments() for words and
/// characters; the pieces of a tokenizer know their ids and bytes. Fails with kBadInput when the
/// tokenizer is not open or cannot cut the sentence. Throws std::runtime_error when ICU's data is
/// not installed.
Expected<std::vector<Token>> split_sentence(std::string_view sentence, const Splitting& splitting);

/// The word of a piece that stands for those bytes of `sentence`, see Token::word; empty if it has
/// the text `piece`.
std::string word_of_piece(std::string_view sentence, tokenizer::TextRange bytes,
                          std::string_view piece);

/// The bytes of `sentence` that each of `tokens` stands for; empty when it is not split into these.
std::vector<tokenizer::TextRange> token_bytes(std::string_view sentence, const Splitting& splitting,
                                              const std::vector<Token>& tokens);

/// What a menu calls the way of splitting: "words", "characters", "english", or the folder or file
/// of the tokenizer without its ending: "gpt2" for "/models/gpt2/tokenizer.json".
std::string splitting_name(const Splitting& splitting);
/// The name of the tokenizer that is opened by `name`, in the same way.
std::string short_tokenizer_name(const std::string& name);

}  // namespace lab
