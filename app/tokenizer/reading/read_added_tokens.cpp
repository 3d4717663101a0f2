#include <algorithm>

#include "app/base/bad_input.h"
#include "app/tokenizer/reading/parts.h"

namespace lab::tokenizer {
namespace {

// The time to look for added tokens grows with the longest of them.
constexpr std::size_t kLongestAddedToken = 1024;
constexpr std::size_t kMostAddedTokens = 1'000'000;

AddedToken added_token(const JsonNode& node, std::span<const Normalizer> normalizers) {
  AddedToken token;
  token.content = node.member("content").text();
  token.single_word = node.flag_or("single_word", false);
  token.lstrip = node.flag_or("lstrip", false);
  token.rstrip = node.flag_or("rstrip", false);
  token.special = node.flag_or("special", false);
  token.normalized = node.flag_or("normalized", !token.special);
  if (token.content.size() > kLongestAddedToken)
    node.refuse("an added token has at most " + std::to_string(kLongestAddedToken) + " bytes");
  token.pattern = token.normalized ? normalized(normalizers, token.content) : token.content;
  return token;
}

}  // namespace

AddedTokens read_added_tokens(const JsonNode& node, const Model& model,
                              std::span<const Normalizer> normalizers) {
  if (node.items().size() > kMostAddedTokens) node.refuse("there are too many added tokens");
  std::map<std::uint32_t, AddedToken> tokens;
  std::map<std::string, std::uint32_t> ids;
  // A list of unigrams counts equal pieces too.
  const Vocabulary& vocabulary = vocabulary_of(model);
  const bool is_list = std::holds_alternative<Unigram>(model);
  auto next = is_list ? vocabulary.id_end() : static_cast<std::uint32_t>(vocabulary.size());
  for (const JsonNode& item : node.items()) {
    AddedToken token = added_token(item, normalizers);
    if (token.content.empty()) continue;
    if (const auto known = vocabulary.id_of(token.content)) ids[token.content] = *known;
    const auto [entry, is_new] = ids.try_emplace(token.content, next);
    if (is_new) ++next;
    tokens[entry->second] = std::move(token);
  }
  return AddedTokens(std::move(tokens));
}

LeadingCode read_leading_code(const JsonNode& node, const Vocabulary& vocabulary) {
  LeadingCode code;
  code.begin = node.member("begin").text();
  code.end = node.member("end").text();
  const JsonNode unknown = node.member("unk_token");
  const auto unk_id = vocabulary.id_of(unknown.text());
  if (code.begin.empty() || code.end.empty() || !unk_id) node.refuse("it has an empty member");
  code.unk_id = *unk_id;
  for (std::uint32_t id = 0; id < vocabulary.id_end(); ++id)
    if (const auto text = vocabulary.text_of(id);
        text && text->starts_with(code.begin) && text->ends_with(code.end))
      code.ids.emplace(*text, id);
  return code;
}

Truncation read_truncation(const JsonNode& node) {
  struct NamedStrategy {
    std::string_view name;
    TruncationStrategy value;
  };
  static constexpr NamedStrategy kStrategies[] = {
      {"LongestFirst", TruncationStrategy::kLongestFirst},
      {"OnlyFirst", TruncationStrategy::kOnlyFirst},
      {"OnlySecond", TruncationStrategy::kOnlySecond}};
  Truncation limit;
  limit.max_length = node.member("max_length").count(kLongestText);
  limit.strategy = named_value(kStrategies, node.member("strategy"));
  limit.stride = node.member("stride").count(kLongestText);
  if (node.text_or("direction", "Right") == "Left") limit.direction = End::kLeft;
  return limit;
}

Padding read_padding(const JsonNode& node) {
  constexpr std::size_t kMostPadding = 1'000'000;
  Padding padding;
  const JsonNode strategy = node.member("strategy");
  if (strategy.value().IsObject())
    padding.length = strategy.member("Fixed").count(kMostPadding);
  else if (strategy.text() != "BatchLongest")
    strategy.refuse("should be BatchLongest or {\"Fixed\": …}");
  if (const auto multiple = node.find("pad_to_multiple_of"))
    padding.pad_to_multiple_of = multiple->count(kMostPadding);
  if (node.text_or("direction", "Right") == "Left") padding.direction = End::kLeft;
  padding.pad_id = static_cast<std::uint32_t>(node.member("pad_id").count(kIdLimit));
  padding.pad_type_id = static_cast<std::uint32_t>(node.member("pad_type_id").count(kIdLimit));
  padding.pad_token = node.member("pad_token").text();
  return padding;
}

}  // namespace lab::tokenizer
