#include "app/tokenizer/text/prefix_table.h"

namespace lab::tokenizer {

PrefixTable::PrefixTable(std::vector<Entry> entries) : entries_(std::move(entries)) {
  std::ranges::sort(entries_);
  for (const Entry& entry : entries_) ++first_[index(entry.first.front()) + 1];
  for (std::size_t byte = 0; byte < 256; ++byte) first_[byte + 1] += first_[byte];
}

std::pair<const PrefixTable::Entry*, const PrefixTable::Entry*> PrefixTable::with_byte(
    const Entry* low, const Entry* high, std::size_t at, char byte) {
  const auto byte_of = [at](const Entry& entry) { return index(entry.first[at]); };
  const auto found = std::ranges::equal_range(low, high, index(byte), {}, byte_of);
  return {found.begin(), found.end()};
}

}  // namespace lab::tokenizer
