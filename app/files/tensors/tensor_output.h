#pragma once

#include <string>

#include "app/files/tensors/tensors.h"

namespace lab::files {

/// Fails with kUsage unless tensors can be written to `path`: "-" or a name that ends in
/// .safetensors, .npz or .json. `verb` is what would write them.
Expected<void> check_tensor_output(const std::string& path, const std::string& verb);

/// The tensors in the format of that name; JSON for "-". Precondition: check_tensor_output().
Expected<std::string> encode_tensors(const TensorFile& file, const std::string& path);

}  // namespace lab::files
