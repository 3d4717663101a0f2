#include "app/tokenizer/pretokenizer/pre_tokenizer.h"

#include <algorithm>

#include "app/tokenizer/text/byte_characters.h"
#include "app/tokenizer/unicode/properties.h"
#include "app/tokenizer/unicode/utf8.h"

namespace lab::tokenizer {
namespace {

// Appends `bytes`, or lets the last part end with it.
void add_segment(std::vector<SubPiece>& segments, std::size_t first, TextRange bytes, bool merge) {
  if (merge && segments.size() > first)
    segments.back().bytes.last = bytes.last;
  else
    segments.push_back({bytes, std::nullopt});
}

// From right to left: each match joins the part that follows it, unless that is a match.
void merge_with_next(const std::vector<Match>& matches, std::vector<SubPiece>& segments) {
  const auto first = static_cast<std::ptrdiff_t>(segments.size());
  bool previous = false;
  for (std::size_t i = matches.size(); i-- > 0;) {
    const Match& match = matches[i];
    const bool merge =
        match.matched && !previous && static_cast<std::ptrdiff_t>(segments.size()) > first;
    if (merge)
      segments.back().bytes.first = match.bytes.first;
    else
      segments.push_back({match.bytes, std::nullopt});
    previous = match.matched;
  }
  std::reverse(segments.begin() + first, segments.end());
}

// Appends the pieces that `matches` cut a text into. With `invert`, what matches and what does not
// change roles.
void split_at(std::vector<Match> matches, SplitBehavior behavior, bool invert,
              std::vector<SubPiece>& segments) {
  if (invert)
    for (Match& match : matches) match.matched = !match.matched;
  if (behavior == SplitBehavior::kMergedWithNext) return merge_with_next(matches, segments);
  const std::size_t first = segments.size();
  bool previous = false;
  for (const Match& match : matches) {
    if (behavior == SplitBehavior::kRemoved && match.matched) continue;
    const bool merge =
        behavior == SplitBehavior::kContiguous
            ? match.matched == previous
            : behavior == SplitBehavior::kMergedWithPrevious && match.matched && !previous;
    add_segment(segments, first, match.bytes, merge);
    previous = match.matched;
  }
}

// Cuts each piece at the characters for which `matches` is true.
template <typename Matches>
void split_characters(Pieces& pieces, SplitBehavior behavior, Matches matches) {
  pieces.split([&](std::string_view text, std::vector<SubPiece>& segments) {
    split_at(character_segments(text, matches), behavior, false, segments);
  });
}

void split_pattern(Pieces& pieces, const Pattern& pattern, SplitBehavior behavior, bool invert) {
  pieces.split([&](std::string_view text, std::vector<SubPiece>& segments) {
    split_at(pattern.segments(text), behavior, invert, segments);
  });
}

// The expression that GPT-2 cuts words by.
const Pattern& gpt2_words() {
  static const Pattern pattern = Pattern::regex(
      R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)");
  return pattern;
}

void apply_node(const BertPreTokenizer&, Pieces& pieces) {
  split_characters(pieces, SplitBehavior::kRemoved, is_white_space);
  split_characters(pieces, SplitBehavior::kIsolated, is_punctuation);
}

void apply_node(const ByteLevelPreTokenizer& node, Pieces& pieces) {
  if (node.add_prefix_space) {
    pieces.rewrite([](std::string_view text, Rewriter& rewriter, std::uint32_t) {
      if (!text.empty() && !text.starts_with(' ')) rewriter.prepend(" ");
      rewriter.copy_rest();
    });
  }
  if (node.use_regex) split_pattern(pieces, gpt2_words(), SplitBehavior::kIsolated, false);
  pieces.rewrite([](std::string_view text, Rewriter& rewriter, std::uint32_t) {
    write_bytes_as_characters(text, rewriter);
  });
}

void apply_node(const CharDelimiterSplit& node, Pieces& pieces) {
  split_characters(pieces, SplitBehavior::kRemoved,
                   [&](char32_t character) { return character == node.delimiter; });
}

void apply_node(const Digits& node, Pieces& pieces) {
  split_characters(pieces,
                   node.individual_digits ? SplitBehavior::kIsolated : SplitBehavior::kContiguous,
                   is_numeric);
}

void apply_node(const FixedLength& node, Pieces& pieces) {
  pieces.split([&](std::string_view text, std::vector<SubPiece>& segments) {
    std::size_t count = 0;
    for_each_character(text, [&](char32_t, std::size_t at, std::size_t size) {
      const auto first = static_cast<std::uint32_t>(at);
      if (count++ % node.length == 0) segments.push_back({{first, first}, std::nullopt});
      segments.back().bytes.last = static_cast<std::uint32_t>(at + size);
    });
  });
}

void apply_node(const Metaspace& node, Pieces& pieces) {
  const Pattern blank = Pattern::literal(" ");
  pieces.rewrite([&](std::string_view text, Rewriter& rewriter, std::uint32_t) {
    for (const Match& match : blank.segments(text)) {
      if (!match.matched) {
        rewriter.copy(match.bytes.size());
        continue;
      }
      rewriter.skip(1);
      rewriter.insert(node.replacement);
    }
  });
  pieces.rewrite([&](std::string_view text, Rewriter& rewriter, std::uint32_t origin) {
    const bool prepends = node.prepend_scheme == PrependScheme::kAlways ||
                          (node.prepend_scheme == PrependScheme::kFirst && origin == 0);
    if (prepends && !text.empty() && !text.starts_with(node.replacement))
      rewriter.prepend(node.replacement);
    rewriter.copy_rest();
  });
  if (!node.split) return;
  split_pattern(pieces, Pattern::literal(node.replacement), SplitBehavior::kMergedWithNext, false);
}

void apply_node(const Punctuation& node, Pieces& pieces) {
  split_characters(pieces, node.behavior, is_punctuation);
}

void apply_node(const SplitPreTokenizer& node, Pieces& pieces) {
  split_pattern(pieces, node.pattern, node.behavior, node.invert);
}

void apply_node(const UnicodeScripts&, Pieces& pieces) {
  pieces.split([](std::string_view text, std::vector<SubPiece>& segments) {
    int previous = 0;
    for_each_character(text, [&](char32_t character, std::size_t at, std::size_t size) {
      const int now = script_number(character);
      const auto first = static_cast<std::uint32_t>(at);
      if (now != 0 && now != previous) segments.push_back({{first, first}, std::nullopt});
      if (now != 0) previous = now;
      if (previous != 0) segments.back().bytes.last = static_cast<std::uint32_t>(at + size);
    });
  });
}

// Rows of characters of one kind: parts of words, white space, or others.
void apply_node(const WhitespacePreTokenizer&, Pieces& pieces) {
  const auto type = [](char32_t character) {
    if (is_word_character(character)) return 1;
    return is_white_space(character) ? 0 : 2;
  };
  pieces.split([&](std::string_view text, std::vector<SubPiece>& segments) {
    int previous = 0;
    for_each_character(text, [&](char32_t character, std::size_t at, std::size_t size) {
      const int now = type(character);
      const auto first = static_cast<std::uint32_t>(at);
      if (now != 0 && now != previous) segments.push_back({{first, first}, std::nullopt});
      if (now != 0) segments.back().bytes.last = static_cast<std::uint32_t>(at + size);
      previous = now;
    });
  });
}

void apply_node(const WhitespaceSplit&, Pieces& pieces) {
  split_characters(pieces, SplitBehavior::kRemoved, is_white_space);
}

}  // namespace

void pre_tokenize(const PreTokenizer& pre_tokenizer, Pieces& pieces) {
  std::visit([&](const auto& node) { apply_node(node, pieces); }, pre_tokenizer);
}

}  // namespace lab::tokenizer
