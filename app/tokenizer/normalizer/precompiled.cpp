#include "app/tokenizer/normalizer/precompiled.h"

#include "app/base/bad_input.h"
#include "app/base/unicode_text.h"
#include "app/tokenizer/unicode/graphemes.h"
#include "app/tokenizer/unicode/utf8.h"

namespace lab::tokenizer {
namespace {

std::uint32_t little_endian_at(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;)
    value = (value << 8U) | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

// The parts of a unit of the double array, as Darts-clone packs them into 32 bits.
bool has_leaf(std::uint32_t unit) { return ((unit >> 8U) & 1U) == 1; }
std::uint32_t label(std::uint32_t unit) { return unit & ((1U << 31U) | 0xFFU); }
std::uint32_t leaf_value(std::uint32_t unit) { return unit & ((1U << 31U) - 1); }
std::size_t offset(std::uint32_t unit) {
  return static_cast<std::size_t>(unit >> 10U) << ((unit & (1U << 9U)) >> 6U);
}

// Appends the characters of `with`, in place of those of `old`. Further characters are inserted. If
// there are fewer, the last character of all, which may belong to the text before, removes what is
// left of `old`.
void replace(std::string_view old, std::string_view with, std::vector<CharacterChange>& changes) {
  const std::size_t old_count = character_count(old);
  std::size_t count = 0;
  for_each_character(with, [&](char32_t character, std::size_t, std::size_t) {
    changes.push_back({character, count++ < old_count ? 0 : 1});
  });
  if (count < old_count && !changes.empty())
    changes.back().change -= static_cast<int>(old_count - count);
}

}  // namespace

Precompiled::Precompiled(std::string_view bytes, bool longest) : longest_(longest) {
  if (bytes.size() < 4) throw BadInput("the precompiled map is cut short");
  const std::size_t size = little_endian_at(bytes, 0) / 4;
  if (size == 0 || size > (bytes.size() - 4) / 4)
    throw BadInput("the trie of the precompiled map is cut short");
  trie_.reserve(size);
  for (std::size_t i = 0; i < size; ++i) trie_.push_back(little_endian_at(bytes, 4 + 4 * i));
  texts_ = bytes.substr(4 + 4 * size);
  if (!is_utf8(texts_)) throw BadInput("the texts of the precompiled map are not valid UTF-8");
}

std::optional<Precompiled::Known> Precompiled::known(std::string_view part, bool longest) const {
  std::optional<Known> found;
  std::size_t node = offset(trie_[0]);
  for (std::size_t at = 0; at < part.size() && (longest || !found); ++at) {
    const auto key = static_cast<unsigned char>(part[at]);
    if (key == 0) break;
    node ^= key;
    if (node >= trie_.size() || label(trie_[node]) != key) break;
    const std::uint32_t unit = trie_[node];
    node ^= offset(unit);
    if (!has_leaf(unit)) continue;
    if (node >= trie_.size()) break;
    const std::size_t text = leaf_value(trie_[node]);
    if (text > texts_.size() || (text < texts_.size() && continues_character(texts_[text])))
      throw BadInput("the precompiled map names a text that it does not have");
    found = {std::string_view(texts_).substr(text, texts_.find('\0', text) - text), at + 1};
  }
  return found;
}

std::optional<std::string_view> Precompiled::replacement(std::string_view part) const {
  const auto found = known(part, false);
  return found ? std::optional(found->text) : std::nullopt;
}

void Precompiled::add_longest(std::string_view text, std::vector<CharacterChange>& changes) const {
  for (std::size_t at = 0; at < text.size();) {
    const auto found = known(text.substr(at), true);
    // A damaged table may end within a character.
    const bool whole =
        found && (at + found->size == text.size() || !continues_character(text[at + found->size]));
    const std::size_t size = whole ? found->size : character_size(text[at]);
    if (whole)
      replace(text.substr(at, size), found->text, changes);
    else
      changes.push_back({character_at(text, at), 0});
    at += size;
  }
}

void Precompiled::add_grapheme(std::string_view grapheme,
                               std::vector<CharacterChange>& changes) const {
  if (grapheme.size() < 6) {
    if (const auto text = replacement(grapheme)) return replace(grapheme, *text, changes);
  }
  for_each_character(grapheme, [&](char32_t value, std::size_t at, std::size_t size) {
    const std::string_view character = grapheme.substr(at, size);
    if (const auto text = replacement(character))
      replace(character, *text, changes);
    else
      changes.push_back({value, 0});
  });
}

void Precompiled::normalize(Pieces& pieces) const {
  pieces.rewrite([&](std::string_view text, Rewriter& rewriter, std::uint32_t) {
    std::vector<CharacterChange> changes;
    changes.reserve(text.size());
    if (longest_)
      add_longest(text, changes);
    else
      for_each_grapheme(text, [&](std::string_view grapheme) { add_grapheme(grapheme, changes); });
    for (const CharacterChange& change : changes) apply(rewriter, change);
  });
}

}  // namespace lab::tokenizer
