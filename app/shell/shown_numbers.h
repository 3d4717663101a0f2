#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "app/connection/array_spec.h"
#include "app/document/workspace.h"

namespace lab::shell {

/// The numbers that the window shows, for the program that gave them.
struct ShownNumbers {
  nlohmann::json members;  ///< "edited", "layer", "tokens", "key_tokens" where they differ
  std::string tensors;     ///< safetensors
};

/// The numbers of `work` as it is edited: of ready weights the weights, else every stage, and of a
/// layer also X, its weights and biases. `trace` is that of its document; null: it is computed.
ShownNumbers shown_numbers(const Work& work, connection::ArrayKind kind,
                           const attention::Trace* trace);

}  // namespace lab::shell
