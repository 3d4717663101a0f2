#include "app/files/import/csv.h"
#include "app/files/import/text_vectors.h"
#include "app/files/problem/problem_file.h"
#include "app/tests/fuzz/input.h"
#include "app/tests/rooms.h"
#include "core/config.h"

// Files of arrays.

namespace lab::fuzz {
namespace {

// A table that is accepted reads back as it is written.
void try_csv(std::string_view input) {
  const auto table = read_csv(input);
  if (!table) return must(!table.error().message.empty());
  must(table->size() > 0);
  const auto again = read_csv(write_csv(*table, {}, {}));
  must(again.has_value() && again->rows() == table->rows() && again->cols() == table->cols());
  const auto numbers = [](const attention::Matrix& matrix) {
    return std::vector<float>(matrix.data(), matrix.data() + matrix.size());
  };
  must(same_numbers(numbers(*again), numbers(*table)));
}

// An array that is accepted has as many numbers as its shape says, and reads back as it is written.
void try_npy(std::string_view input) {
  const auto tensor = read_npy(input);
  if (!tensor) return must(!tensor.error().message.empty());
  std::int64_t count = 1;
  for (const std::int64_t size : tensor->shape) count *= size;
  must(std::ssize(tensor->values) == count);
  const auto again = read_npy(write_npy(*tensor));
  must(again.has_value() && again->shape == tensor->shape);
  must(same_numbers(again->values, tensor->values));
}

// Arrays that are accepted read back as they are written, and the document that they make, if they
// do, can be computed.
void try_npz(std::string_view input) {
  const auto file = read_npz(input);
  if (!file) return must(!file.error().message.empty());
  const auto bytes = write_npz(*file);
  must(bytes.has_value());
  const auto again = read_npz(*bytes);
  must(again.has_value() && same_tensors(*again, *file));
  const auto document = document_from_tensors(*file, "fuzz");
  if (document) attention::validate(document->problem);
}

// Tensors that are accepted read back as they are written, and the document that they make, if they
// do, can be computed.
void try_safetensors(std::string_view input) {
  const auto file = read_safetensors(input);
  if (!file) return must(!file.error().message.empty());
  const auto again = read_safetensors(write_safetensors(*file));
  must(again.has_value() && same_tensors(*again, *file));
  const auto document = document_from_tensors(*file, "fuzz");
  if (document) attention::validate(document->problem);
}

// Vectors that are accepted have the length that they say, and each word is found or missing.
void try_text_vectors(std::string_view input) {
  static const std::vector<std::string> kWords = {"The", "cat", "New York", "\xC3\xA9"};
  const auto vectors = read_text_vectors(input, kWords);
  if (!vectors) return must(!vectors.error().message.empty());
  must(vectors->dimension <= attention::Limits::kDModel);
  must(vectors->rows.size() + vectors->missing.size() == kWords.size());
  for (const auto& [word, row] : vectors->rows) must(row.size() == vectors->dimension);
}

}  // namespace

void try_input(std::string_view input) {
  constexpr Target kTargets[] = {{"csv", try_csv},
                                 {"npy", try_npy},
                                 {"npz", try_npz},
                                 {"safetensors", try_safetensors},
                                 {"text_vectors", try_text_vectors}};
  try_target(kTargets, input);
}

}  // namespace lab::fuzz
