#pragma once

#include <string>

#include "app/document/model/model_document.h"

namespace lab::explain {

/// What was done to a model, for a caption: "L1H0, L2H3 muted · L3H1 × 0.5 · 2 numbers set by hand
/// · weights of layer 3 edited". Empty when nothing was.
std::string edits_in_words(const ModelDocument& document);

}  // namespace lab::explain
