#include "app/document/words/edit_script.h"

#include <algorithm>
#include <cstdint>
#include <map>

namespace lab {

using attention::Index;

namespace {

// Tokens as numbers, which are equal where the tokens are.
class TokenNumbers {
 public:
  std::vector<int> of(const std::vector<std::string_view>& words) {
    std::vector<int> numbers;
    numbers.reserve(words.size());
    for (const std::string_view word : words) {
      const int next = static_cast<int>(known_.size());
      numbers.push_back(known_.emplace(word, next).first->second);
    }
    return numbers;
  }

 private:
  std::map<std::string_view, int> known_;
};

// The part of both lists that differs: what they share at the beginning and at the end is cut off.
struct Difference {
  std::size_t front = 0, old_size = 0, now_size = 0;
};

Difference difference_of(const std::vector<int>& old, const std::vector<int>& now) {
  const auto front = std::mismatch(old.begin(), old.end(), now.begin(), now.end());
  const auto old_rest = std::make_reverse_iterator(front.first);
  const auto now_rest = std::make_reverse_iterator(front.second);
  const auto back = std::mismatch(old.rbegin(), old_rest, now.rbegin(), now_rest);
  return {static_cast<std::size_t>(front.first - old.begin()),
          static_cast<std::size_t>(old_rest - back.first),
          static_cast<std::size_t>(now_rest - back.second)};
}

// The length of the longest common subsequence of what follows each pair of positions.
class CommonLengths {
 public:
  CommonLengths(const int* old, std::size_t old_size, const int* now, std::size_t now_size)
      : columns_(now_size + 1), lengths_((old_size + 1) * columns_) {
    for (std::size_t i = old_size; i-- > 0;) {
      for (std::size_t j = now_size; j-- > 0;) {
        at(i, j) = old[i] == now[j] ? static_cast<std::uint16_t>(at(i + 1, j + 1) + 1)
                                    : std::max(at(i + 1, j), at(i, j + 1));
      }
    }
  }
  std::uint16_t& at(std::size_t i, std::size_t j) { return lengths_[i * columns_ + j]; }

 private:
  std::size_t columns_;
  std::vector<std::uint16_t> lengths_;
};

}  // namespace

std::vector<Index> shortest_edit(const std::vector<std::string_view>& old,
                                 const std::vector<std::string_view>& now) {
  TokenNumbers numbers;
  const std::vector<int> from = numbers.of(old), to = numbers.of(now);
  const auto [front, old_size, now_size] = difference_of(from, to);
  std::vector<Index> kept(old.size(), -1);
  for (std::size_t i = 0; i < front; ++i) kept[i] = static_cast<Index>(i);
  for (std::size_t i = front + old_size; i < old.size(); ++i)
    kept[i] = static_cast<Index>(i + now.size() - old.size());
  if (old_size == 0 || now_size == 0) return kept;
  CommonLengths lengths(from.data() + front, old_size, to.data() + front, now_size);
  for (std::size_t i = 0, j = 0; i < old_size && j < now_size;) {
    if (from[front + i] == to[front + j]) {
      kept[front + i++] = static_cast<Index>(front + j++);
    } else if (lengths.at(i + 1, j) >= lengths.at(i, j + 1)) {
      ++i;
    } else {
      ++j;
    }
  }
  return kept;
}

}  // namespace lab
