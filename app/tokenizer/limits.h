#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "app/tokenizer/encoding.h"

namespace lab::tokenizer {

/// The end of a text at which it is cut, or filled up.
enum class End { kLeft, kRight };

/// What is cut when two texts together are too long.
enum class TruncationStrategy { kLongestFirst, kOnlyFirst, kOnlySecond };

/// The length to which a tokenizer.json cuts texts.
struct Truncation {
  std::size_t max_length = 512;
  TruncationStrategy strategy = TruncationStrategy::kLongestFirst;
  std::size_t stride = 0;  ///< by how much the parts that are cut off would overlap
  End direction = End::kRight;
};

/// The length to which a tokenizer.json fills texts up.
struct Padding {
  std::optional<std::size_t> length;              ///< not set: that of the longest of several texts
  std::optional<std::size_t> pad_to_multiple_of;  ///< the length becomes a multiple of this
  End direction = End::kRight;
  std::uint32_t pad_id = 0;
  std::uint32_t pad_type_id = 0;
  std::string pad_token = "[PAD]";
};

/// Cuts one text, or two, so that together with `added` further tokens they have at most the
/// length that `limit` sets. Throws BadInput when the strategy cannot reach it.
void truncate(std::vector<Encoding>& texts, const Truncation& limit, std::size_t added);

/// Adds padding to `encoding` up to the length that `padding` sets.
void pad(Encoding& encoding, const Padding& padding);

/// What `limit` says, as in "cuts texts to 128 tokens".
std::string truncation_text(const Truncation& limit);
/// What `padding` says, as in "fills texts up to 128 tokens with [PAD]".
std::string padding_text(const Padding& padding);

}  // namespace lab::tokenizer
