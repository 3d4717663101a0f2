#include "app/files/tokenizer/tokenizer_config.h"

#include <algorithm>
#include <map>
#include <variant>
#include <vector>

#include "app/base/bad_input.h"
#include "app/base/strict_json.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/files/tokenizer/tokenizer_classes.h"
#include "app/tokenizer/reading/read_tokenizer.h"

namespace lab::files {
namespace {

using nlohmann::json;
using tokenizer::AddedToken;
using tokenizer::Tokenizer;
using Differences = std::vector<std::string>;

constexpr std::size_t kLargestTokenizerConfig = std::size_t{1} << 24U;

bool is_byte_level(const tokenizer::PreTokenizer& node) {
  return std::holds_alternative<tokenizer::ByteLevelPreTokenizer>(node);
}

// The class that AutoTokenizer takes, if it rebuilds its stages; null: it reads the whole file.
const RebuildingClass* reference_class(const json& config, const json& model,
                                       const Tokenizer& opened) {
  return class_of_folder(config, model,
                         std::ranges::any_of(opened.pipeline().pre_tokenizers, is_byte_level));
}

// True when `config` has the flag `key`, with another value than `used`.
bool contradicts(const json& config, const char* key, bool used) {
  const auto at = config.find(key);
  return at != config.end() && at->is_boolean() && at->get<bool>() != used;
}

// The settings of `config` that contradict the stages of the file.
Differences settings_of_stages(const json& config, const tokenizer::Pipeline& used) {
  Differences found;
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
  return found;
}

// True if both cut a word in the same way, whatever their vocabularies.
bool same_model(const tokenizer::Model& a, const tokenizer::Model& b) {
  if (a.index() != b.index()) return false;
  if (const auto* bpe = std::get_if<tokenizer::Bpe>(&a))
    return bpe->options() == std::get<tokenizer::Bpe>(b).options();
  if (const auto* unigram = std::get_if<tokenizer::Unigram>(&a)) {
    const auto& other = std::get<tokenizer::Unigram>(b);
    return unigram->unk_id() == other.unk_id() && unigram->byte_fallback() == other.byte_fallback();
  }
  const auto* words = std::get_if<tokenizer::WordPiece>(&a);
  const auto* other = std::get_if<tokenizer::WordPiece>(&b);
  return words != nullptr && words->unk_token == other->unk_token &&
         words->continuing_subword_prefix == other->continuing_subword_prefix &&
         words->max_input_chars_per_word == other->max_input_chars_per_word;
}

bool same_normalizer(const tokenizer::Normalizer& a, const tokenizer::Normalizer& b) {
  const auto explicit_accents = [](tokenizer::BertNormalizer bert) {
    bert.strip_accents = bert.strip_accents.value_or(bert.lowercase);
    return bert;
  };
  const auto* const bert = std::get_if<tokenizer::BertNormalizer>(&a);
  const auto* const other = std::get_if<tokenizer::BertNormalizer>(&b);
  if (bert == nullptr || other == nullptr) return a == b;
  return explicit_accents(*bert) == explicit_accents(*other);
}

// The names of the stages that differ from those of the file.
Differences rebuilt_stages(const json& config, const RebuildingClass& rebuilding,
                           const tokenizer::Pipeline& used) {
  const auto read = tokenizer::read_tokenizer(rebuilding.stages(config).dump());
  if (!read) throw BadInput(read.error().message);
  const tokenizer::Pipeline& rebuilt = read->pipeline();
  Differences found;
  // A class of unigrams takes the file's table and no other normalizer.
  std::vector<tokenizer::Normalizer> normalizers = rebuilt.normalizers;
  if (std::holds_alternative<tokenizer::Unigram>(rebuilt.model))
    std::ranges::copy_if(used.normalizers, std::back_inserter(normalizers), [](const auto& node) {
      return std::holds_alternative<tokenizer::Precompiled>(node);
    });
  if (!std::ranges::equal(normalizers, used.normalizers, same_normalizer))
    found.push_back("normalizer");
  if (rebuilt.pre_tokenizers != used.pre_tokenizers) found.push_back("pre_tokenizer");
  if (!same_model(rebuilt.model, used.model)) found.push_back("model");
  return found;
}

// True if both the class and the file put the same tokens around a text.
bool same_around(const json& config, const RebuildingClass& rebuilding, const Tokenizer& opened) {
  if (!rebuilding.around) return true;
  std::vector<std::string> expected;
  for (const std::string& key : *rebuilding.around)
    expected.push_back(content_of(value_or(config, key.c_str(), rebuilding.tokens.at(key))));
  const auto empty = opened.encode("");
  if (!empty) return true;
  std::vector<std::string> used;
  for (const tokenizer::Token& token : *empty) used.push_back(token.text);
  return used == expected;
}

void compare_stages(const json& config, const RebuildingClass& rebuilding, const Tokenizer& opened,
                    Differences& found) {
  if (rebuilding.stages == nullptr) {
    found.push_back("tokenizer_class");
    return;
  }
  const tokenizer::Pipeline& used = opened.pipeline();
  Differences different = rebuilt_stages(config, rebuilding, used);
  if (!different.empty())
    if (const Differences settings = settings_of_stages(config, used); !settings.empty())
      different = settings;
  if (!same_around(config, rebuilding, opened)) different.push_back("post_processor");
  found.insert(found.end(), different.begin(), different.end());
}

void add_unknown(const json& token, const tokenizer::AddedTokens& added, Differences& found) {
  const std::string content = content_of(token);
  if (!content.empty() && !added.id_of(content)) found.push_back("the token " + in_quotes(content));
}

void compare_tokens(const json& config, const RebuildingClass* rebuilding,
                    const tokenizer::AddedTokens& added, Differences& found) {
  for (const json& token : config.value("added_tokens_decoder", json::object())) {
    const auto id = added.id_of(content_of(token));
    if (!id) {
      add_unknown(token, added, found);
      continue;
    }
    const AddedToken& used = added.by_id().at(*id);
    if (token.is_object() &&
        (contradicts(token, "single_word", used.single_word) ||
         contradicts(token, "lstrip", used.lstrip) || contradicts(token, "rstrip", used.rstrip) ||
         contradicts(token, "normalized", used.normalized)))
      found.push_back("the flags of the token " + in_quotes(used.content));
  }
  for (const char* key : {"extra_special_tokens", "additional_special_tokens"})
    for (const json& token : value_or(config, key, json::array())) add_unknown(token, added, found);
  NamedTokens named = rebuilding == nullptr ? NamedTokens() : rebuilding->tokens;
  for (const char* key :
       {"bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"})
    if (const auto at = config.find(key); at != config.end()) named[key] = content_of(*at);
  for (const auto& [key, content] : named) add_unknown(content, added, found);
  if (contradicts(config, "split_special_tokens", false)) found.push_back("split_special_tokens");
}

// The object in a file of `folder`; null when there is no such file.
Expected<json> object_in(const std::string& folder, const char* name) {
  const std::string path = folder + "/" + name;
  if (is_missing(path)) return json();
  const auto text = read_bytes(path, kLargestTokenizerConfig);
  if (!text) return tl::make_unexpected(text.error());
  return guarded([&] {
    json object = parse_json(*text);
    if (!object.is_object()) throw BadInput("should be an object");
    return object;
  });
}

// What transformers does otherwise, with each thing once.
Differences differences(const json& config, const json& model, const Tokenizer& opened) {
  Differences found;
  const RebuildingClass* const rebuilding = reference_class(config, model, opened);
  if (rebuilding != nullptr) compare_stages(config, *rebuilding, opened, found);
  compare_tokens(config, rebuilding, opened.pipeline().added, found);
  Differences once;
  for (std::string& difference : found)
    if (std::ranges::find(once, difference) == once.end()) once.push_back(std::move(difference));
  return once;
}

std::string difference_list(const Differences& found) {
  constexpr std::size_t kNamed = 4;
  std::string list;
  for (std::size_t i = 0; i < std::min(found.size(), kNamed); ++i)
    list += (i == 0 ? "" : ", ") + found[i];
  if (found.size() > kNamed) list += " and " + std::to_string(found.size() - kNamed) + " more";
  return list;
}

}  // namespace

std::string tokenizer_config_note(const std::string& folder, const Tokenizer& opened) {
  if (is_missing(folder + "/tokenizer.json")) return {};  // the older files say all
  const auto config = object_in(folder, "tokenizer_config.json");
  if (!config)
    return in_quotes(folder + "/tokenizer_config.json") + " is not used: " + config.error().message;
  const auto model = object_in(folder, "config.json");
  const auto found = guarded([&] {
    try {
      return differences(config->is_null() ? json::object() : *config, model.value_or(json()),
                         opened);
    } catch (const json::exception&) {
      throw BadInput("a member has another type than transformers writes");
    }
  });
  if (!found)
    return in_quotes(folder + "/tokenizer_config.json") + " is not used: " + found.error().message;
  if (found->empty()) return {};
  return "tokenizer.json alone is used; transformers 5 differs from it in " +
         difference_list(*found) +
         ", because of tokenizer_config.json or of the class that it takes for this model: it may "
         "cut a text into other tokens";
}

}  // namespace lab::files
