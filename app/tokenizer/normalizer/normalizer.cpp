#include "app/tokenizer/normalizer/normalizer.h"

#include <algorithm>

#include "app/tokenizer/text/byte_characters.h"
#include "app/tokenizer/unicode/normal_form.h"
#include "app/tokenizer/unicode/properties.h"
#include "app/tokenizer/unicode/utf8.h"

namespace lab::tokenizer {
namespace {

// Writes each character of each piece as `write(character, rewriter)` does.
template <typename Write>
void rewrite_characters(Pieces& pieces, Write write) {
  pieces.rewrite([&](std::string_view text, Rewriter& rewriter, std::uint32_t) {
    for_each_character(
        text, [&](char32_t character, std::size_t, std::size_t) { write(character, rewriter); });
  });
}

// Removes the characters for which `removed` is true; the others become `mapped(character)`.
template <typename Removed, typename Mapped>
void filter(Pieces& pieces, Removed removed, Mapped mapped) {
  rewrite_characters(pieces, [&](char32_t character, Rewriter& rewriter) {
    if (removed(character))
      rewriter.skip(1);
    else
      rewriter.replace(mapped(character));
  });
}

char32_t same(char32_t character) { return character; }

void write_lower_case(char32_t character, Rewriter& rewriter) {
  char32_t storage = 0;
  bool first = true;
  for (const char32_t lower : lower_case(character, storage)) {
    if (first)
      rewriter.replace(lower);
    else
      rewriter.insert(lower);
    first = false;
  }
}

void apply_node(const UnicodeNormalizer& node, Pieces& pieces) {
  pieces.rewrite([&](std::string_view text, Rewriter& rewriter, std::uint32_t) {
    if (is_ascii(text)) return rewriter.copy_rest();
    for (const CharacterChange& change : normal_form(text, node.form)) apply(rewriter, change);
  });
}

void clean_as_bert(Pieces& pieces) {
  filter(pieces, is_removed_by_bert, [](char32_t c) { return is_bert_whitespace(c) ? U' ' : c; });
}

void separate_ideographs(Pieces& pieces) {
  rewrite_characters(pieces, [](char32_t character, Rewriter& rewriter) {
    if (!is_chinese(character)) return rewriter.replace(character);
    rewriter.replace(U' ');
    rewriter.insert(character);
    rewriter.insert(U' ');
  });
}

void apply_node(const BertNormalizer& node, Pieces& pieces) {
  if (node.clean_text) clean_as_bert(pieces);
  if (node.handle_chinese_chars) separate_ideographs(pieces);
  if (node.strip_accents.value_or(node.lowercase)) {
    apply_node(UnicodeNormalizer{NormalForm::kNfd}, pieces);
    filter(pieces, is_nonspacing_mark, same);
  }
  if (node.lowercase) rewrite_characters(pieces, write_lower_case);
}

// Where the white space at the beginning of `text` ends.
std::size_t blank_beginning(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && is_white_space(character_at(text, at))) at += character_size(text[at]);
  return at;
}

// Where the white space at the end of `text` begins.
std::size_t blank_end(std::string_view text) {
  std::size_t end = text.size();
  while (end > 0) {
    const std::size_t last = character_before(text, end);
    if (!is_white_space(character_at(text, last))) break;
    end = last;
  }
  return end;
}

void apply_node(const StripNormalizer& node, Pieces& pieces) {
  pieces.rewrite([&](std::string_view text, Rewriter& rewriter, std::uint32_t) {
    const std::size_t first = node.left ? blank_beginning(text) : 0;
    const std::size_t last = node.right ? std::max(first, blank_end(text)) : text.size();
    rewriter.skip(character_count(text.substr(0, first)));
    rewriter.copy(last - first);
  });
}

void apply_node(const StripAccents&, Pieces& pieces) { filter(pieces, is_combining_mark, same); }

void apply_node(const Lowercase&, Pieces& pieces) { rewrite_characters(pieces, write_lower_case); }

bool is_removed_by_nmt(char32_t c) {
  return (c >= 0x01 && c <= 0x08) || c == 0x0B || (c >= 0x0E && c <= 0x1F) || c == 0x7F ||
         c == 0x8F || c == 0x9F;
}

bool is_blank_to_nmt(char32_t c) {
  return c == 0x09 || c == 0x0A || c == 0x0C || c == 0x0D || c == 0x1680 ||
         (c >= 0x200B && c <= 0x200F) || c == 0x2028 || c == 0x2029 || c == 0x2581 || c == 0xFEFF ||
         c == 0xFFFD;
}

void apply_node(const Nmt&, Pieces& pieces) {
  filter(pieces, is_removed_by_nmt, [](char32_t c) { return is_blank_to_nmt(c) ? U' ' : c; });
}

void apply_node(const ReplaceNormalizer& node, Pieces& pieces) {
  pieces.rewrite([&](std::string_view text, Rewriter& rewriter, std::uint32_t) {
    for (const Match& match : node.pattern.segments(text)) {
      if (match.matched) {
        rewriter.skip(character_count(part_of(text, match.bytes)));
        rewriter.insert(node.content);
      } else {
        rewriter.copy(match.bytes.size());
      }
    }
  });
}

void apply_node(const Prepend& node, Pieces& pieces) {
  pieces.rewrite([&](std::string_view text, Rewriter& rewriter, std::uint32_t) {
    rewriter.prepend(text.empty() ? std::string_view{} : node.text);
    rewriter.copy_rest();
  });
}

void apply_node(const ByteLevelNormalizer&, Pieces& pieces) {
  pieces.rewrite([](std::string_view text, Rewriter& rewriter, std::uint32_t) {
    write_bytes_as_characters(text, rewriter);
  });
}

void apply_node(const Precompiled& node, Pieces& pieces) { node.normalize(pieces); }

}  // namespace

void normalize(const Normalizer& normalizer, Pieces& pieces) {
  std::visit([&](const auto& node) { apply_node(node, pieces); }, normalizer);
}

std::string normalized(std::span<const Normalizer> normalizers, std::string_view text) {
  Pieces pieces(text);
  for (const Normalizer& normalizer : normalizers) normalize(normalizer, pieces);
  return std::string(pieces.text_of(pieces.list().front()));
}

}  // namespace lab::tokenizer
