#pragma once

#include <optional>

#include "app/document/commands/command.h"
#include "app/document/document.h"

namespace lab {

/// The scale with which new tokens get vectors as long as those of the first sentence, with two
/// digits. Nothing when a token of it has no vector of its own, when the document has a scale
/// already, or when the vectors are about as long as default ones.
std::optional<float> fitting_new_token_scale(const Document& document);

/// `command`; if it sets a sentence, or how it is split, and does not say how long the vectors of
/// new tokens are, with the scale that fits those of the first sentence, if there is one.
Command with_fitting_scale(const Document& document, Command command);

}  // namespace lab
