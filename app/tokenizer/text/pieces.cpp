#include "app/tokenizer/text/pieces.h"

namespace lab::tokenizer {

Pieces::Pieces(std::string_view original) : aligned_(aligned_with_itself(original)) {
  list_.push_back({{0, static_cast<std::uint32_t>(original.size())}, 0, std::nullopt});
}

TextRange Pieces::source_of(const Piece& piece, TextRange range) const {
  // The reference takes an empty range of the piece for one of the original.
  if (range.empty()) return {piece.origin + range.first, piece.origin + range.last};
  return {aligned_.sources[piece.bytes.first + range.first].first,
          aligned_.sources[piece.bytes.first + range.last - 1].last};
}

Piece Pieces::cut_out(const Piece& piece, const PiecePart& part) const {
  const std::uint32_t first = piece.bytes.first + part.bytes.first;
  return {{first, piece.bytes.first + part.bytes.last}, aligned_.sources[first].first, part.added};
}

}  // namespace lab::tokenizer
