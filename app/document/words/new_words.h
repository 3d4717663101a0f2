#pragma once

#include <optional>

#include "app/document/document.h"

namespace lab {

/// The scale with which new words get vectors as long as those of the first sentence, with two
/// digits. Nothing when a word of it has no vector of its own, when the document has a scale
/// already, or when the vectors are about as long as default ones.
std::optional<float> fitting_new_word_scale(const Document& document);

}  // namespace lab
