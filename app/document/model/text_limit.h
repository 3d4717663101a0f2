#pragma once

#include <optional>
#include <string>

#include "app/document/model/model_source.h"

// How long a text a model can read.

namespace lab {

/// The most tokens that the model has positions for; 0: it has no table of them, and no limit.
/// Rotary positions of type longrope have one.
attention::Index most_tokens(const ModelSource& source);

/// The longest beginning of `text` with at most most_tokens() tokens; nothing when the model reads
/// all of it, or no beginning either. See encode_text() for `of_decoder`.
std::optional<std::string> readable_beginning(const ModelSource& source, const std::string& text,
                                              bool of_decoder = false);

}  // namespace lab
