#include "app/tests/fuzz/input.h"
#include "app/tests/rooms.h"

// An array that is accepted has as many numbers as its shape says, and reads back as it is written.

namespace lab::fuzz {

void try_input(std::string_view input) {
  const auto tensor = read_npy(input);
  if (!tensor) return must(!tensor.error().message.empty());
  std::int64_t count = 1;
  for (const std::int64_t size : tensor->shape) count *= size;
  must(std::ssize(tensor->values) == count);
  const auto again = read_npy(write_npy(*tensor));
  must(again.has_value() && again->shape == tensor->shape);
  must(same_numbers(again->values, tensor->values));
}

}  // namespace lab::fuzz
