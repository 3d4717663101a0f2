#include "app/tokenizer/reading/parts.h"
#include "app/tokenizer/unicode/utf8.h"

namespace lab::tokenizer {
namespace {

template <typename Node>
PreTokenizer plain(const JsonNode&) {
  return Node{};
}

PreTokenizer byte_level(const JsonNode& node) {
  return ByteLevelPreTokenizer{node.flag_or("add_prefix_space", true),
                               node.flag_or("use_regex", true)};
}

PreTokenizer char_delimiter(const JsonNode& node) {
  return CharDelimiterSplit{character_at(node.member("delimiter").character(), 0)};
}

PreTokenizer digits(const JsonNode& node) {
  return Digits{node.flag_or("individual_digits", false)};
}

PreTokenizer fixed_length(const JsonNode& node) {
  const auto length = node.find("length");
  const std::uint64_t value = length ? length->count(kLongestText) : 5;
  if (value == 0) length->refuse("0, should be at least 1");
  return FixedLength{value};
}

struct NamedScheme {
  std::string_view name;
  PrependScheme value;
};

constexpr NamedScheme kSchemes[] = {{"first", PrependScheme::kFirst},
                                    {"never", PrependScheme::kNever},
                                    {"always", PrependScheme::kAlways}};

// Older files say add_prefix_space instead of prepend_scheme.
PreTokenizer metaspace(const JsonNode& node) {
  Metaspace metaspace;
  metaspace.replacement = node.member("replacement").character();
  if (const auto scheme = node.find("prepend_scheme"))
    metaspace.prepend_scheme = named_value(kSchemes, *scheme);
  else if (!node.flag_or("add_prefix_space", true))
    metaspace.prepend_scheme = PrependScheme::kNever;
  metaspace.split = node.flag_or("split", true);
  return metaspace;
}

PreTokenizer punctuation(const JsonNode& node) {
  const auto behavior = node.find("behavior");
  return Punctuation{behavior ? read_behavior(*behavior) : SplitBehavior::kIsolated};
}

PreTokenizer split(const JsonNode& node) {
  return SplitPreTokenizer{read_pattern(node.member("pattern")),
                           read_behavior(node.member("behavior")), node.flag_or("invert", false)};
}

struct PreTokenizerReader {
  std::string_view name;
  PreTokenizer (*value)(const JsonNode&);
};

constexpr PreTokenizerReader kPreTokenizers[] = {
    {"BertPreTokenizer", plain<BertPreTokenizer>},
    {"ByteLevel", byte_level},
    {"CharDelimiterSplit", char_delimiter},
    {"Digits", digits},
    {"FixedLength", fixed_length},
    {"Metaspace", metaspace},
    {"Punctuation", punctuation},
    {"Split", split},
    {"UnicodeScripts", plain<UnicodeScripts>},
    {"Whitespace", plain<WhitespacePreTokenizer>},
    {"WhitespaceSplit", plain<WhitespaceSplit>},
};

struct NamedBehavior {
  std::string_view name;
  SplitBehavior value;
};

constexpr NamedBehavior kBehaviors[] = {
    {"Removed", SplitBehavior::kRemoved},
    {"Isolated", SplitBehavior::kIsolated},
    {"MergedWithPrevious", SplitBehavior::kMergedWithPrevious},
    {"MergedWithNext", SplitBehavior::kMergedWithNext},
    {"Contiguous", SplitBehavior::kContiguous},
};

}  // namespace

std::vector<PreTokenizer> read_pre_tokenizers(const JsonNode& node) {
  std::vector<PreTokenizer> pre_tokenizers;
  for_each_in_sequence(node, "pretokenizers", [&](const JsonNode& item) {
    pre_tokenizers.push_back(named_value(kPreTokenizers, item.member("type"))(item));
  });
  return pre_tokenizers;
}

SplitBehavior read_behavior(const JsonNode& node) { return named_value(kBehaviors, node); }

}  // namespace lab::tokenizer
