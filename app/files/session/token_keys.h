#pragma once

#include <string>
#include <vector>

#include "app/document/document.h"

namespace lab::files {

/// The tokens of a file's embeddings, and the rows by the keys of the tokens.
struct NamedRows {
  std::string sentence;  ///< the tokens, a blank between two
  std::vector<Token> tokens;
  Lexicon lexicon;
};

/// One token for each of `texts`, which stand for the rows of `rows`, [texts × d_model]. Equal
/// tokens with different rows get keys of their own.
NamedRows name_rows(const std::vector<std::string>& texts, const attention::Matrix& rows);

/// Makes `texts` the tokens of the second sentence, whose rows problem.embedding_kv holds.
void set_kv_tokens(Document& document, const std::vector<std::string>& texts);

}  // namespace lab::files
