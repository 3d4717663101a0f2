#include "app/files/tensors/tensors.h"

#include <algorithm>

#include "app/base/bad_input.h"
#include "app/files/io/paths.h"

namespace lab::files {

const Tensor* TensorFile::find(std::string_view name) const {
  const auto at = std::ranges::find(tensors, name, &Tensor::name);
  return at == tensors.end() ? nullptr : &*at;
}

Expected<void> check_tensor_output(const std::string& path, const std::string& verb) {
  const std::string ending = ending_of(path);
  if (path == "-" || ending == ".json" || is_problem_ending(ending)) return {};
  return fail(ErrorType::kUsage,
              "cannot tell the format of " + in_quotes(path) + " from its extension; " + verb +
                  " writes .safetensors, .npz and .json (- is JSON on standard output)");
}

Expected<std::string> encode_tensors(const TensorFile& file, const std::string& path) {
  const std::string ending = ending_of(path);
  if (ending == ".safetensors") return write_safetensors(file);
  if (ending == ".npz") return write_npz(file);
  return write_tensors_json(file);
}

}  // namespace lab::files
