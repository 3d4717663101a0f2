#include "app/tokenizer/text/pieces.h"

#include "app/tokenizer/unicode/utf8.h"

namespace lab::tokenizer {
namespace {

/// `original`, which is valid UTF-8, before any normalization: every byte comes from the character
/// that it belongs to.
AlignedText aligned_with_itself(std::string_view original) {
  AlignedText aligned{std::string(original), {}};
  aligned.sources.reserve(original.size());
  for_each_character(original, [&](char32_t, std::size_t at, std::size_t size) {
    const TextRange source{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + size)};
    aligned.sources.insert(aligned.sources.end(), size, source);
  });
  return aligned;
}

}  // namespace

Pieces::Pieces(std::string_view original) : aligned_(aligned_with_itself(original)) {
  list_.push_back({{0, static_cast<std::uint32_t>(original.size())}, 0, std::nullopt});
}

TextRange Pieces::source_of(const Piece& piece, TextRange range) const {
  // The reference takes an empty range of the piece for one of the original.
  if (range.empty()) return {piece.origin + range.first, piece.origin + range.last};
  return {aligned_.sources[piece.bytes.first + range.first].first,
          aligned_.sources[piece.bytes.first + range.last - 1].last};
}

Piece Pieces::cut_out(const Piece& piece, const SubPiece& segment) const {
  const std::uint32_t first = piece.bytes.first + segment.bytes.first;
  return {{first, piece.bytes.first + segment.bytes.last},
          aligned_.sources[first].first,
          segment.added};
}

}  // namespace lab::tokenizer
