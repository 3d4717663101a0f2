#include "app/files/tokenizer_config.h"

#include <algorithm>
#include <variant>
#include <vector>

#include "app/base/bad_input.h"
#include "app/base/strict_json.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"

namespace lab::files {
namespace {

using nlohmann::json;
using tokenizer::AddedToken;
using Differences = std::vector<std::string>;

// True when `config` has the flag `key`, with another value than `used`.
bool contradicts(const json& config, const char* key, bool used) {
  const auto at = config.find(key);
  return at != config.end() && at->is_boolean() && at->get<bool>() != used;
}

// The text of a token, which is written as a text or as an object with its flags.
std::string content_of(const json& token) {
  const json& text = token.is_object() ? token.value("content", json()) : token;
  return text.is_string() ? text.get<std::string>() : std::string();
}

bool same_flags(const json& token, const AddedToken& used) {
  return !contradicts(token, "single_word", used.single_word) &&
         !contradicts(token, "lstrip", used.lstrip) && !contradicts(token, "rstrip", used.rstrip) &&
         !contradicts(token, "normalized", used.normalized);
}

void add_unknown(const json& token, const tokenizer::AddedTokens& added, Differences& found) {
  const std::string content = content_of(token);
  if (!content.empty() && !added.id_of(content)) found.push_back("the token " + in_quotes(content));
}

void compare_tokens(const json& config, const tokenizer::AddedTokens& added, Differences& found) {
  const json decoder = config.value("added_tokens_decoder", json::object());
  for (const json& token : decoder) {
    const auto id = added.id_of(content_of(token));
    if (!id)
      add_unknown(token, added, found);
    else if (token.is_object() && !same_flags(token, added.by_id().at(*id)))
      found.push_back("the flags of the token " + in_quotes(content_of(token)));
  }
  for (const char* key : {"extra_special_tokens", "additional_special_tokens"})
    for (const json& token : config.value(key, json::array())) add_unknown(token, added, found);
  for (const char* key :
       {"bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"})
    add_unknown(config.value(key, json()), added, found);
}

void compare_stages(const json& config, const tokenizer::Pipeline& used, Differences& found) {
  for (const auto& node : used.normalizers) {
    const auto* bert = std::get_if<tokenizer::BertNormalizer>(&node);
    if (bert == nullptr) continue;
    if (contradicts(config, "do_lower_case", bert->lowercase)) found.push_back("do_lower_case");
    if (contradicts(config, "strip_accents", bert->strip_accents.value_or(bert->lowercase)))
      found.push_back("strip_accents");
    if (contradicts(config, "tokenize_chinese_chars", bert->handle_chinese_chars))
      found.push_back("tokenize_chinese_chars");
  }
  for (const auto& node : used.pre_tokenizers)
    if (const auto* bytes = std::get_if<tokenizer::ByteLevelPreTokenizer>(&node);
        bytes != nullptr && contradicts(config, "add_prefix_space", bytes->add_prefix_space))
      found.push_back("add_prefix_space");
}

Differences differences(const std::string& text, const tokenizer::Pipeline& used) {
  const json config = parse_json(text);
  if (!config.is_object()) throw BadInput("should be an object");
  Differences found;
  compare_stages(config, used, found);
  compare_tokens(config, used.added, found);
  return found;
}

}  // namespace

std::string tokenizer_config_note(const std::string& folder, const tokenizer::Tokenizer& opened) {
  constexpr std::size_t kLargest = std::size_t{1} << 24U, kNamed = 4;
  const std::string path = folder + "/tokenizer_config.json";
  if (is_missing(path)) return {};
  const auto text = read_bytes(path, kLargest);
  if (!text) return text.error().message;
  const auto found = guarded([&] {
    try {
      return differences(*text, opened.pipeline());
    } catch (const json::exception&) {
      throw BadInput("a member has another type than transformers writes");
    }
  });
  if (!found) return in_quotes(path) + " is not used: " + found.error().message;
  if (found->empty()) return {};
  std::string list;
  for (std::size_t i = 0; i < std::min(found->size(), kNamed); ++i)
    list += (i == 0 ? "" : ", ") + (*found)[i];
  if (found->size() > kNamed) list += " and " + std::to_string(found->size() - kNamed) + " more";
  return in_quotes(path) + " differs from tokenizer.json, which is what is used, in " + list +
         ": transformers may cut a text into other tokens";
}

}  // namespace lab::files
