#pragma once

#include <cstdint>
#include <memory>
#include <memory_resource>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "app/tokenizer/text/aligned_text.h"

namespace lab::tokenizer {

/// Ids of pieces are below this; the largest vocabularies in use have about 300 000.
inline constexpr std::uint32_t kIdLimit = 1U << 22U;

/// The pieces of a model and their ids, which may have gaps.
class Vocabulary {
 public:
  /// Without pieces.
  Vocabulary() : texts_(std::make_unique<std::pmr::monotonic_buffer_resource>()) {}

  /// Prepares for `count` pieces.
  void reserve(std::size_t count);
  /// Adds the piece `text`, or gives it another id if it is there already. Returns true if it is
  /// new. Precondition: id < kIdLimit.
  bool add(std::string_view text, std::uint32_t id);

  /// The id of `text`, if it is a piece.
  std::optional<std::uint32_t> id_of(std::string_view text) const;
  /// The text of the piece `id`, if there is one; valid as long as the vocabulary.
  std::optional<std::string_view> text_of(std::uint32_t id) const;
  /// Number of different pieces.
  std::size_t size() const { return ids_.size(); }
  /// One more than the largest id; 0 without pieces.
  std::uint32_t id_end() const { return static_cast<std::uint32_t>(by_id_.size()); }

 private:
  std::unique_ptr<std::pmr::monotonic_buffer_resource> texts_;  // holds the bytes of all pieces
  std::unordered_map<std::string_view, std::uint32_t> ids_;
  std::vector<std::string_view> by_id_;  // null where there is no piece
};

/// The ids of the pieces "<0x00>" … "<0xFF>", which stand for single bytes, where there are any.
std::vector<std::optional<std::uint32_t>> byte_ids(const Vocabulary& vocabulary);

/// A piece of the vocabulary that a model found in a word.
struct ModelToken {
  std::uint32_t id = 0;
  TextRange bytes;        ///< of the word
  bool own_text = false;  ///< its text is that of the word, not that of the vocabulary
};

}  // namespace lab::tokenizer
