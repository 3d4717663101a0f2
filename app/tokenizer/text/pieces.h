#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "app/tokenizer/text/aligned_text.h"
#include "app/tokenizer/text/rewriter.h"

namespace lab::tokenizer {

/// A part of a text that the pre-tokenizers cut out. A model never joins what is in two pieces.
struct Piece {
  TextRange bytes;                     ///< of the text as it stands now
  std::uint32_t origin = 0;            ///< the byte of the original text at which it begins
  std::optional<std::uint32_t> added;  ///< the id of the added token that it is: nothing changes it
};

/// A part of a piece that stays.
struct SubPiece {
  TextRange bytes;  ///< of the piece
  std::optional<std::uint32_t> added;
};

/// A text between normalization and the model: cut into pieces, each aligned with the original.
class Pieces {
 public:
  /// One piece: all of `original`, which is valid UTF-8.
  explicit Pieces(std::string_view original);

  /// The pieces in the order of the text.
  const std::vector<Piece>& list() const { return list_; }
  /// The normalized text of a piece; valid until the pieces change.
  std::string_view text_of(const Piece& piece) const { return part_of(aligned_.text, piece.bytes); }

  /// The bytes of the original text that the bytes `range` of `piece` come from.
  TextRange source_of(const Piece& piece, TextRange range) const;

  /// Writes each piece anew: `write(text, rewriter, origin)` writes all of it. Added tokens stay.
  template <typename Write>
  void rewrite(Write&& write) {
    AlignedText result;
    result.text.reserve(aligned_.text.size());
    result.sources.reserve(aligned_.sources.size());
    for (Piece& piece : list_) {
      const auto first = static_cast<std::uint32_t>(result.text.size());
      Rewriter rewriter(aligned_, piece.bytes, piece.origin, result);
      if (piece.added)
        rewriter.copy_rest();
      else
        write(text_of(piece), rewriter, piece.origin);
      piece.bytes = {first, static_cast<std::uint32_t>(result.text.size())};
    }
    aligned_ = std::move(result);
  }

  /// Cuts each piece: `cut(text, segments)` appends what stays to `segments`; empty ones are
  /// dropped. Added tokens stay.
  template <typename Cut>
  void split(Cut&& cut) {
    std::vector<Piece> result;
    result.reserve(list_.size());
    std::vector<SubPiece> segments;
    for (const Piece& piece : list_) {
      if (piece.added) {
        result.push_back(piece);
        continue;
      }
      segments.clear();
      cut(text_of(piece), segments);
      for (const SubPiece& segment : segments)
        if (!segment.bytes.empty()) result.push_back(cut_out(piece, segment));
    }
    list_ = std::move(result);
  }

 private:
  Piece cut_out(const Piece& piece, const SubPiece& segment) const;

  AlignedText aligned_;
  std::vector<Piece> list_;
};

}  // namespace lab::tokenizer
