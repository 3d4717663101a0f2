#include "app/tokenizer/text/aligned_text.h"

#include "app/tokenizer/unicode/utf8.h"

namespace lab::tokenizer {

AlignedText aligned_with_itself(std::string_view original) {
  AlignedText aligned{std::string(original), {}};
  aligned.sources.reserve(original.size());
  for_each_character(original, [&](char32_t, std::size_t at, std::size_t size) {
    const TextRange source{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + size)};
    aligned.sources.insert(aligned.sources.end(), size, source);
  });
  return aligned;
}

}  // namespace lab::tokenizer
