#include "app/files/tensors/tensors.h"

#include <algorithm>

namespace lab::files {

const Tensor* TensorFile::find(std::string_view name) const {
  const auto at = std::ranges::find(tensors, name, &Tensor::name);
  return at == tensors.end() ? nullptr : &*at;
}

}  // namespace lab::files
