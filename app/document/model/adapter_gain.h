#pragma once

#include "app/base/error.h"
#include "app/document/commands/command.h"
#include "app/document/model/model_document.h"

// How much of its LoRA adapter a trained model has: W + gain · α / r · B A.

namespace lab {

/// The largest gain, either way.
inline constexpr float kLargestAdapterGain = 100;

/// The document with that gain. What was edited keeps its numbers; all others follow. Fails with
/// kBadInput when the model has no adapter, or the gain is beyond ±kLargestAdapterGain.
Expected<ModelDocument> reduce(const ModelDocument& document, const SetAdapterGain& command);

}  // namespace lab
