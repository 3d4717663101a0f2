#pragma once

#include <string>
#include <vector>

#include "app/document/token.h"
#include "app/document/words/detached.h"

namespace lab {

/// An entry in the line of tokens.
struct LineToken {
  Token token;
  bool removed = false;  ///< not in the sentence
  bool operator==(const LineToken&) const = default;
};

/// The tokens of a sentence in order, and between them those that were removed but still own
/// something.
using TokenLine = std::vector<LineToken>;

/// The line of a sentence. A removed token whose position is beyond the sentence stands at the end.
TokenLine token_line(const std::vector<Token>& tokens, const std::vector<RemovedToken>& removed);
/// The tokens of the line that are in the sentence.
std::vector<Token> tokens_of(const TokenLine& line);
/// The tokens of the line that were removed.
std::vector<RemovedToken> removed_tokens_of(const TokenLine& line);
/// The indices of the tokens that are in the sentence: for each token its index.
std::vector<attention::Index> token_indices(const TokenLine& line);

/// A line of tokens after an edit of its sentence.
struct FollowedLine {
  TokenLine line;
  /// The new index of each old one: no two are the same, and it is the same token. A token
  /// that the new sentence does not have any more was removed.
  std::vector<attention::Index> moved;
  std::vector<attention::Index> new_index_of_token;  ///< the new index of each token that there was
};

/// Follows the tokens of `line` into the sentence of these tokens (see followed_token()). The
/// tokens of the sentence are followed by the shortest edit script. Then removed tokens come back
/// where the same one was inserted: first between the tokens that they stood between, then
/// anywhere, in order; a token that was removed at one index and inserted at another has moved. A
/// token that follows keeps its key; a new one has its text as key.
FollowedLine follow(const TokenLine& line, const std::vector<std::string>& texts);

/// The line after an edit that changes no token.
FollowedLine unmoved(TokenLine line);

}  // namespace lab
