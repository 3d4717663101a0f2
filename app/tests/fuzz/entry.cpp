#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "app/tests/fuzz/input.h"
#include "app/tests/rooms.h"

namespace lab::fuzz {

bool same_numbers(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool same = std::bit_cast<std::uint32_t>(a[i]) == std::bit_cast<std::uint32_t>(b[i]);
    if (!same && !(std::isnan(a[i]) && std::isnan(b[i]))) return false;
  }
  return true;
}

bool same_tensors(const TensorFile& a, const TensorFile& b) {
  if (a.tensors.size() != b.tensors.size() || a.metadata != b.metadata) return false;
  for (std::size_t i = 0; i < a.tensors.size(); ++i) {
    const Tensor &x = a.tensors[i], &y = b.tensors[i];
    if (x.name != y.name || x.shape != y.shape || !same_numbers(x.values, y.values)) return false;
  }
  return true;
}

}  // namespace lab::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lab::fuzz::try_input({reinterpret_cast<const char*>(data), size});
  return 0;
}
