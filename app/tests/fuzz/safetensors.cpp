#include "app/files/problem/problem_file.h"
#include "app/tests/fuzz/input.h"
#include "app/tests/rooms.h"

// Tensors that are accepted read back as they are written, and the document that they make, if they
// do, can be computed.

namespace lab::fuzz {

void try_input(std::string_view input) {
  const auto file = read_safetensors(input);
  if (!file) return must(!file.error().message.empty());
  const auto again = read_safetensors(write_safetensors(*file));
  must(again.has_value() && same_tensors(*again, *file));
  const auto document = document_from_tensors(*file, "fuzz");
  if (document) attention::validate(document->problem);
}

}  // namespace lab::fuzz
