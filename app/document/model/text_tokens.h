#pragma once

#include <string>
#include <vector>

#include "app/document/model/model_document.h"
#include "app/document/splitting/splitting.h"

// The texts of a model as tokens that a person reads.

namespace lab {

/// The texts of the tokens with blanks between them.
std::string joined_text(const std::vector<Token>& tokens);

/// What was typed, or else the tokens.
std::string readable_text(const ModelSource& source, const ModelText& text);

/// The model's tokenizer of such texts as documents name theirs; words without one.
Splitting splitting_of(const std::shared_ptr<const ModelSource>& source, bool of_decoder);
/// The same of `text`: in a conversation the chat template writes all special tokens.
Splitting splitting_of(const std::shared_ptr<const ModelSource>& source, const ModelText& text,
                       bool of_decoder);

/// The tokens of ModelDocument::text, each with its position in it; those of given ids have none.
std::vector<Token> text_tokens(const ModelDocument& model);
/// The same of ModelDocument::decoder_text; empty in models with a single stack.
std::vector<Token> decoder_text_tokens(const ModelDocument& model);

}  // namespace lab
