#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "app/connection/array_spec.h"
#include "app/document/workspace.h"

// The numbers that the window shows, for the program that gave them.

namespace lab::shell {

/// What is said about the numbers of `work`: "edited", "layer", "tokens", "key_tokens" where these
/// are others, and of a batch the "sentence" that is shown, from 1, of so many "sentences".
/// Precondition: work.arrays.
nlohmann::json shown_members(const Work& work);

/// The numbers of `work` as it is edited, as a safetensors file: of ready weights the weights, else
/// every stage, and of a layer also X, its weights and biases. `trace` is that of its document;
/// null: it is computed.
std::string shown_tensors(const Work& work, connection::ArrayKind kind,
                          const attention::Trace* trace);

}  // namespace lab::shell
