#pragma once

#include <cstddef>
#include <string_view>

namespace lab::tokenizer {

/// Number of bytes of the first extended grapheme cluster of `text` (Unicode 17, UAX #29). 0 for an
/// empty text.
std::size_t first_grapheme(std::string_view text);

/// Calls `use(grapheme)` for each extended grapheme cluster of `text`.
template <typename Use>
void for_each_grapheme(std::string_view text, Use&& use) {
  while (!text.empty()) {
    const std::size_t size = first_grapheme(text);
    use(text.substr(0, size));
    text.remove_prefix(size);
  }
}

}  // namespace lab::tokenizer
