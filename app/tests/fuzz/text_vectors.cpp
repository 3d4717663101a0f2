#include "app/files/import/text_vectors.h"

#include "app/tests/fuzz/input.h"
#include "app/tests/rooms.h"
#include "core/config.h"

// Vectors that are accepted have the length that they say, and each word is found or missing.

namespace lab::fuzz {

void try_input(std::string_view input) {
  static const std::vector<std::string> kWords = {"The", "cat", "New York", "\xC3\xA9"};
  const auto vectors = read_text_vectors(input, kWords);
  if (!vectors) return must(!vectors.error().message.empty());
  must(vectors->dimension <= attention::Limits::kDModel);
  must(vectors->rows.size() + vectors->missing.size() == kWords.size());
  for (const auto& [word, row] : vectors->rows) must(row.size() == vectors->dimension);
}

}  // namespace lab::fuzz
