#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace lab::tokenizer {

/// Texts with values, which finds all those that a text begins with.
class PrefixTable {
 public:
  /// A text and its value. The text is not copied.
  using Entry = std::pair<std::string_view, std::uint32_t>;

  /// Without texts.
  PrefixTable() = default;
  /// Precondition: the texts of `entries` are different, not empty, and outlive the table.
  explicit PrefixTable(std::vector<Entry> entries) : entries_(std::move(entries)) {
    std::ranges::sort(entries_);
    for (const Entry& entry : entries_) ++first_[index(entry.first.front()) + 1];
    for (std::size_t byte = 0; byte < 256; ++byte) first_[byte + 1] += first_[byte];
  }

  /// True without texts.
  bool empty() const { return entries_.empty(); }
  /// True if no text begins with `byte`.
  bool none_begins_with(char byte) const { return first_[index(byte)] == first_[index(byte) + 1]; }

  /// Calls `use(size, value)` for each entry that `text` begins with, shortest first: its number of
  /// bytes and its value.
  template <typename Use>
  void for_each_prefix(std::string_view text, Use&& use) const {
    if (text.empty()) return;
    const Entry* low = entries_.data() + first_[index(text.front())];
    const Entry* high = entries_.data() + first_[index(text.front()) + 1];
    for (std::size_t size = 1; low != high; ++size) {
      // All entries from low to high begin with the first `size` bytes of the text.
      if (low->first.size() == size) {
        use(size, low->second);
        ++low;
      }
      if (size == text.size()) return;
      std::tie(low, high) = with_byte(low, high, size, text[size]);
    }
  }

 private:
  static std::size_t index(char byte) { return static_cast<unsigned char>(byte); }
  // Those of the entries from `low` to `high` whose byte `at` is `byte`.
  static std::pair<const Entry*, const Entry*> with_byte(const Entry* low, const Entry* high,
                                                         std::size_t at, char byte) {
    const Entry* const first = std::partition_point(
        low, high, [&](const Entry& entry) { return index(entry.first[at]) < index(byte); });
    const Entry* const last = std::partition_point(
        first, high, [&](const Entry& entry) { return entry.first[at] == byte; });
    return {first, last};
  }

  std::vector<Entry> entries_;              // sorted by their bytes
  std::array<std::uint32_t, 257> first_{};  // of the entries that begin with each byte
};

}  // namespace lab::tokenizer
