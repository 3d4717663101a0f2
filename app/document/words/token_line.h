#pragma once

#include <string>
#include <vector>

#include "app/document/token.h"
#include "app/document/words/detached.h"

namespace lab {

/// A place in the line of words.
struct LineToken {
  Token token;
  bool removed = false;  ///< not in the sentence
  bool operator==(const LineToken&) const = default;
};

/// The words of a sentence in order, and between them those that were removed but still own
/// something.
using TokenLine = std::vector<LineToken>;

/// The line of a sentence. A removed word whose position is beyond the sentence stands at the end.
TokenLine token_line(const std::vector<Token>& tokens, const std::vector<RemovedToken>& removed);
/// The words of the line that are in the sentence.
std::vector<Token> tokens_of(const TokenLine& line);
/// The words of the line that were removed.
std::vector<RemovedToken> removed_tokens_of(const TokenLine& line);
/// The places of the words that are in the sentence: for each token its place.
std::vector<attention::Index> token_indices(const TokenLine& line);

/// A line of words after an edit of its sentence.
struct FollowedLine {
  TokenLine line;
  /// The new place of each old one: no two are the same, and it is the same word. A word
  /// that the new sentence does not have any more was removed.
  std::vector<attention::Index> moved;
  std::vector<attention::Index> new_index_of_token;  ///< the new place of each token that there was
};

/// Follows the words of `line` into the sentence of these words (see followed_token()). The words
/// of the sentence are followed by the shortest edit script. Then removed words come back where the
/// same one was inserted: first between the words that they stood between, then anywhere, in order;
/// a word that was removed at one place and inserted at another has moved. A word that follows
/// keeps its key; a new one has its text as key.
FollowedLine follow(const TokenLine& line, const std::vector<std::string>& texts);

/// The line after an edit that changes no word.
FollowedLine unmoved(TokenLine line);

}  // namespace lab
