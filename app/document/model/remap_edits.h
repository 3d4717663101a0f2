#pragma once

#include "app/document/model/model_document.h"
#include "app/document/words/token_line.h"
#include "core/axis.h"

// What is done to single numbers of a model follows the tokens they stand on.

namespace lab {

/// The line of ModelDocument::text, with the tokens that were removed.
TokenLine text_line(const ModelDocument& model);
/// The same of ModelDocument::decoder_text.
TokenLine decoder_text_line(const ModelDocument& model);

/// True when rows or columns along `axis` of a stage of that sublayer stand for tokens of the
/// decoder's text, not of ModelDocument::text. Precondition: they stand for queries or keys.
bool is_of_decoder_text(const attention::network::Network& network,
                        attention::network::Sublayer sublayer, attention::Axis axis);

/// The lines of both texts after an edit.
struct FollowedTexts {
  FollowedLine text, decoder_text;
};

/// The lines of `before` followed into the texts of `after`.
FollowedTexts follow_texts(const ModelDocument& before, const ModelDocument& after);

/// Moves the overrides of `model` to where their tokens are now, also those that are switched off.
/// Overrides of tokens that were removed are detached; those that are detached and whose cells
/// exist again return. Patches, which replace all numbers of a head, stay while they fit the number
/// of tokens, and are detached while they do not. Nothing is lost. Precondition: `texts` was
/// followed from the model as it was, and `model` already has its new texts, but still the old
/// edits.
void remap_edits(ModelDocument& model, const FollowedTexts& texts);

/// The same when no token has changed: what is detached returns where its cell exists.
void remap_edits(ModelDocument& model);

}  // namespace lab
