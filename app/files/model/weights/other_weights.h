#pragma once

#include <string>

// Weights of models in other forms than safetensors, which are not read.

namespace lab::files {

/// What a file of weights of that name is, by its ending, and how to make safetensors of it:
/// "weights in a pickle, …"; empty for other files.
std::string other_weights(const std::string& name);

/// The first such file in `folder` as the end of a sentence: "; "pytorch_model.bin" is weights in a
/// pickle, …"; empty when there is none.
std::string other_weights_in(const std::string& folder);

}  // namespace lab::files
