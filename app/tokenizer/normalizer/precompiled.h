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
  /// With `longest`, the longest known beginning of what is left is replaced, as SentencePiece
  /// itself does.
  explicit Precompiled(std::string_view bytes, bool longest = false);

  /// Replaces what the trie knows in each piece that is no added token. As in the reference, and
  /// unless it is the longest that counts, a
  /// grapheme of fewer than 6 bytes is replaced whole by the text of its shortest known beginning.
  void normalize(Pieces& pieces) const;

  bool operator==(const Precompiled&) const = default;

 private:
  void add_grapheme(std::string_view grapheme, std::vector<CharacterChange>& changes) const;
  // What replaces a known beginning of `part`, the first or the longest; and the size of that.
  struct Known {
    std::string_view text;
    std::size_t size = 0;
  };
  std::optional<Known> known(std::string_view part, bool longest) const;
  std::optional<std::string_view> replacement(std::string_view part) const;
  void add_longest(std::string_view text, std::vector<CharacterChange>& changes) const;

  std::vector<std::uint32_t> trie_;
  std::string texts_;
  bool longest_ = false;
};

}  // namespace lab::tokenizer
