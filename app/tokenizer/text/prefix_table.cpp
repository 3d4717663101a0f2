#include "app/tokenizer/text/prefix_table.h"

namespace lab::tokenizer {

PrefixTable::PrefixTable(std::vector<Entry> entries) : entries_(std::move(entries)) {
  std::ranges::sort(entries_);
  for (const Entry& entry : entries_) ++first_[index(entry.first.front()) + 1];
  for (std::size_t byte = 0; byte < 256; ++byte) first_[byte + 1] += first_[byte];
}

std::pair<const PrefixTable::Entry*, const PrefixTable::Entry*> PrefixTable::with_byte(
    const Entry* low, const Entry* high, std::size_t at, char byte) {
  const Entry* const first = std::partition_point(
      low, high, [&](const Entry& entry) { return index(entry.first[at]) < index(byte); });
  const Entry* const last = std::partition_point(
      first, high, [&](const Entry& entry) { return entry.first[at] == byte; });
  return {first, last};
}

}  // namespace lab::tokenizer
