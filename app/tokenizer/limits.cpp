#include "app/tokenizer/limits.h"

#include <algorithm>
#include <utility>

#include "app/base/bad_input.h"

namespace lab::tokenizer {
namespace {

void cut(Encoding& encoding, std::size_t length, End direction) {
  if (length >= encoding.size()) return;
  const auto count = static_cast<std::ptrdiff_t>(length);
  if (direction == End::kLeft)
    encoding.erase(encoding.begin(), encoding.end() - count);
  else
    encoding.erase(encoding.begin() + count, encoding.end());
}

// The lengths of two texts that have at most `most` tokens together: the longer one is cut first,
// and then both to one half.
std::pair<std::size_t, std::size_t> shared(std::size_t first, std::size_t second,
                                           std::size_t most) {
  const bool swapped = first > second;
  if (swapped) std::swap(first, second);
  second = first > most ? first : std::max(first, most - first);
  if (first + second > most) {
    first = most / 2;
    second = first + most % 2;
  }
  if (swapped) std::swap(first, second);
  return {first, second};
}

}  // namespace

void truncate(std::vector<Encoding>& texts, const Truncation& limit, std::size_t added) {
  const std::size_t most = limit.max_length > added ? limit.max_length - added : 0;
  std::size_t total = 0;
  for (const Encoding& text : texts) total += text.size();
  if (most == 0)
    for (Encoding& text : texts) text.clear();
  if (most == 0 || total <= most) return;
  if (limit.strategy == TruncationStrategy::kLongestFirst) {
    if (texts.size() == 1) return cut(texts[0], most, limit.direction);
    const auto [first, second] = shared(texts[0].size(), texts[1].size(), most);
    cut(texts[0], first, limit.direction);
    return cut(texts[1], second, limit.direction);
  }
  const std::size_t which = limit.strategy == TruncationStrategy::kOnlyFirst ? 0 : 1;
  if (which >= texts.size())
    throw BadInput("truncation cuts the second text only, and there is none");
  if (texts[which].size() <= total - most)
    throw BadInput("truncation cuts one text only, and it is too short for that");
  cut(texts[which], texts[which].size() - (total - most), limit.direction);
}

void pad(Encoding& encoding, const Padding& padding) {
  std::size_t length = padding.length.value_or(encoding.size());
  const std::size_t multiple = padding.pad_to_multiple_of.value_or(0);
  if (multiple > 0 && length % multiple > 0) length += multiple - length % multiple;
  if (encoding.size() >= length) return;
  Token filler;
  filler.id = padding.pad_id;
  filler.text = padding.pad_token;
  filler.type_id = padding.pad_type_id;
  filler.special = true;
  encoding.insert(padding.direction == End::kLeft ? encoding.begin() : encoding.end(),
                  length - encoding.size(), filler);
}

std::string truncation_text(const Truncation& limit) {
  return "cuts texts to " + std::to_string(limit.max_length) + " tokens";
}

std::string padding_text(const Padding& padding) {
  std::string text = "fills texts up ";
  if (padding.length)
    text += "to " + std::to_string(*padding.length) + " tokens ";
  else if (padding.pad_to_multiple_of)
    text += "to a multiple of " + std::to_string(*padding.pad_to_multiple_of) + " tokens ";
  else
    text += "to the longest of several ";
  return text + "with " + padding.pad_token;
}

}  // namespace lab::tokenizer
