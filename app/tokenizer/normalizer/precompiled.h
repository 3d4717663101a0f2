#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/tokenizer/text/pieces.h"

namespace lab::tokenizer {

/// The replacements of characters that a SentencePiece model carries: a trie of byte strings (a
/// double array as Darts-clone writes it) and the texts that replace them.
class Precompiled {
 public:
  /// Reads `bytes`: the size of the trie in bytes and the trie, 32-bit little-endian, then the
  /// texts, each ended by a NUL. Throws BadInput when they are cut short, a place in them does not
  /// exist, or they are not valid UTF-8.
  explicit Precompiled(std::string_view bytes);

  /// Replaces what the trie knows in each piece that is no added token. As in the reference, a
  /// grapheme of fewer than 6 bytes is replaced whole by the text of its shortest known beginning.
  void normalize(Pieces& pieces) const;

  bool operator==(const Precompiled&) const = default;

 private:
  void add_grapheme(std::string_view grapheme, std::vector<CharacterChange>& changes) const;
  std::optional<std::string_view> replacement(std::string_view part) const;

  std::vector<std::uint32_t> trie_;
  std::string texts_;
};

}  // namespace lab::tokenizer
