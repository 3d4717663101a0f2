#pragma once

#include "app/document/document.h"
#include "app/document/words/token_line.h"

// What stands on tokens follows them: the painted mask, the score bias, overrides.

namespace lab {

/// The line of the first sentence, with the tokens that were removed.
TokenLine query_line(const Document& document);
/// The line of the sentence that keys come from, with the tokens that were removed.
TokenLine key_line(const Document& document);

/// Both lines after an edit.
struct FollowedLines {
  FollowedLine queries, keys;
};

/// Moves the cells of the painted mask and of the score bias and the overrides of `document` to
/// where their tokens are now. Cells of tokens that were removed, and overrides of cells that do
/// not exist, are detached; those that are detached and exist again return. Nothing is lost.
/// Precondition: `words` was followed from the lines of the document as it was, and the document
/// already has its new tokens, embeddings and sizes, but still the old mask, bias, overrides and
/// what was detached.
void remap_cells(Document& document, const FollowedLines& words);

/// The same when no token has changed.
void remap_cells(Document& document);

/// Forgets what is detached of the mask or of the score bias, or all overrides that are.
void forget_detached_mask(Document& document);
/// The same for the score bias.
void forget_detached_bias(Document& document);
/// The same for all overrides.
void forget_detached_overrides(Document& document);

}  // namespace lab
