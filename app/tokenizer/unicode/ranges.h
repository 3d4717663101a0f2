#pragma once

#include <algorithm>
#include <span>

namespace lab::tokenizer {

/// Code points `first` … `last`.
struct CodePointRange {
  char32_t first = 0;
  char32_t last = 0;
};

/// The entry of `table`, sorted by `first`, whose range contains `character`, or null. Entries have
/// members `first` and `last`.
template <typename Entry>
const Entry* entry_of(std::span<const Entry> table, char32_t character) {
  const auto after = std::ranges::upper_bound(table, character, {}, &Entry::first);
  if (after == table.begin()) return nullptr;
  const Entry& entry = *(after - 1);
  return character <= entry.last ? &entry : nullptr;
}

}  // namespace lab::tokenizer
