#pragma once

#include <cstddef>
#include <string_view>

#include "app/tokenizer/text/aligned_text.h"

namespace lab::tokenizer {

/// Writes the new text of one piece while it passes over the old one, character by character, and
/// keeps track of where each new byte comes from.
class Rewriter {
 public:
  /// Passes over the bytes `piece` of `from` and appends to `to`. `origin` is the byte of the
  /// original text at which the piece begins.
  Rewriter(const AlignedText& from, TextRange piece, std::uint32_t origin, AlignedText& to)
      : from_(from), to_(to), next_(piece.first), piece_(piece), origin_(origin) {}

  /// Writes the next `bytes` bytes unchanged. Precondition: they are whole characters.
  void copy(std::size_t bytes);
  /// Writes the rest of the piece unchanged.
  void copy_rest() { copy(piece_.last - next_); }
  /// Passes over the next `characters` characters without writing anything, or over all that are
  /// left if they are fewer.
  void skip(std::size_t characters);
  /// Writes `character` in place of the next one, and passes over `removed` further characters.
  void replace(char32_t character, std::size_t removed = 0);
  /// Writes `character` without passing over anything. It shares the source of the character before
  /// it, or an empty source at the beginning of the piece.
  void insert(char32_t character);
  /// The same for each character of `text`.
  void insert(std::string_view text);
  /// Writes `text` before the piece; it shares the source of the first character. Precondition:
  /// nothing was written, and the piece is not empty unless `text` is.
  void prepend(std::string_view text);

 private:
  void write(char32_t character, TextRange source);

  const AlignedText& from_;
  AlignedText& to_;
  std::uint32_t next_;  // the first byte of `from_` not yet passed over
  TextRange piece_;
  std::uint32_t origin_;
};

/// A character of a new text, and what becomes of the old one there.
struct CharacterChange {
  char32_t character = 0;
  int change = 0;  ///< 1: inserted; 0: in place of one; −n: in place of one, and n more are removed
};

/// Writes `changed`. Precondition: `changed.change` ≤ 1.
void apply(Rewriter& rewriter, CharacterChange changed);

}  // namespace lab::tokenizer
