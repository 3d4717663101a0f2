#pragma once

#include <string>
#include <vector>

#include "app/document/document.h"

namespace lab::files {

/// The tokens for the embeddings in a file, and their rows by token key.
struct NamedRows {
  std::string sentence;  ///< the tokens, separated by blanks
  std::vector<Token> tokens;
  Lexicon lexicon;
};

/// Makes one token for each of `texts`, which label the rows of `rows`, [texts × d_model]. Equal
/// tokens with different rows get distinct keys.
NamedRows name_rows(const std::vector<std::string>& texts, const attention::Matrix& rows);

/// Makes `texts` the tokens of the first sentence, whose embeddings are problem.embedding.
void set_query_tokens(Document& document, const std::vector<std::string>& texts);
/// Makes `texts` the tokens of the second sentence, whose embeddings are problem.embedding_kv.
void set_kv_tokens(Document& document, const std::vector<std::string>& texts);

}  // namespace lab::files
