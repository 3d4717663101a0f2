#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "app/tokenizer/encoding.h"

// The post-processors of tokenizer.json, by the names they have there. A Sequence is a list of
// them.

namespace lab::tokenizer {

/// A special token that a post-processor adds.
struct SpecialToken {
  std::string text;
  std::uint32_t id = 0;
};

/// A part of a template: special tokens, or the tokens of one of the texts.
struct TemplateItem {
  std::vector<SpecialToken> special;  ///< empty: a text
  std::uint32_t sequence = 0;         ///< which text: 0 or 1
  std::uint32_t type_id = 0;
};

/// Puts one text, or two, between special tokens.
struct TemplateProcessing {
  std::vector<TemplateItem> single;
  std::vector<TemplateItem> pair;
};

/// [CLS] A [SEP] and [CLS] A [SEP] B [SEP].
struct BertProcessing {
  SpecialToken sep;
  SpecialToken cls;
};

/// <s> A </s> and <s> A </s></s> B </s>, all of type 0; may take blanks out of the offsets.
struct RobertaProcessing {
  SpecialToken sep;
  SpecialToken cls;
  bool trim_offsets = true;
  bool add_prefix_space = true;
};

/// May take blanks out of the offsets of byte-level tokens.
struct ByteLevelProcessing {
  bool trim_offsets = true;
  bool add_prefix_space = true;
};

using PostProcessor =
    std::variant<TemplateProcessing, BertProcessing, RobertaProcessing, ByteLevelProcessing>;

/// The parts of an input on their way through the post-processors: one text or two, and then what
/// the post-processors add before, between and after them.
using Encodings = std::vector<Encoding>;

/// Applies `processor`. Only the offsets in characters are kept right. Special tokens are added if
/// `add_special` is true. Throws BadInput when the processors of the file do not fit together.
void post_process(const PostProcessor& processor, Encodings& encodings, bool add_special);

/// Number of tokens that `processor` adds to one text, or to two.
std::size_t added_count(const PostProcessor& processor, bool pair);

}  // namespace lab::tokenizer
