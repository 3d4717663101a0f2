#include "app/files/tokenizer_config.h"

#include <algorithm>
#include <map>
#include <variant>
#include <vector>

#include "app/base/bad_input.h"
#include "app/base/strict_json.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/tokenizer/reading/read_tokenizer.h"

namespace lab::files {
namespace {

using nlohmann::json;
using tokenizer::AddedToken;
using tokenizer::Tokenizer;
using Differences = std::vector<std::string>;

constexpr std::size_t kLargestTokenizerConfig = std::size_t{1} << 24U;

// The text of a token, which is written as a text or as an object with its flags.
std::string content_of(const json& token) {
  const json& text = token.is_object() ? token.value("content", json()) : token;
  return text.is_string() ? text.get<std::string>() : std::string();
}

// The value of `key`, where null counts as missing.
json value_or(const json& config, const char* key, const json& otherwise) {
  const auto at = config.find(key);
  return at == config.end() || at->is_null() ? otherwise : *at;
}

// The tokenizer classes of transformers 5.24 that rebuild their stages. Of tokenizer.json they read
// the vocabulary, the merges, a table of SentencePiece and the post-processor. All other classes
// read the whole file.

json byte_level(const json& config, bool use_regex = true) {
  return {{"type", "ByteLevel"},
          {"add_prefix_space", value_or(config, "add_prefix_space", false)},
          {"trim_offsets", true},
          {"use_regex", use_regex}};
}

json sequence_of(json pre_tokenizers) {
  return {{"type", "Sequence"}, {"pretokenizers", std::move(pre_tokenizers)}};
}

json bpe(json flags = json::object()) {
  flags.update({{"type", "BPE"}, {"vocab", json::object()}, {"merges", json::array()}});
  return flags;
}

json stages(json normalizer, json pre_tokenizer, json model) {
  return {{"normalizer", std::move(normalizer)},
          {"pre_tokenizer", std::move(pre_tokenizer)},
          {"model", std::move(model)}};
}

json bert_stages(const json& config) {
  return stages({{"type", "BertNormalizer"},
                 {"clean_text", true},
                 {"handle_chinese_chars", value_or(config, "tokenize_chinese_chars", true)},
                 {"strip_accents", value_or(config, "strip_accents", nullptr)},
                 {"lowercase", value_or(config, "do_lower_case", true)}},
                {{"type", "BertPreTokenizer"}},
                {{"type", "WordPiece"},
                 {"vocab", json::object()},
                 {"unk_token", content_of(value_or(config, "unk_token", "[UNK]"))},
                 {"continuing_subword_prefix", "##"},
                 {"max_input_chars_per_word", 100}});
}

json byte_level_stages(const json& config) { return stages(nullptr, byte_level(config), bpe()); }

json gpt_neox_stages(const json& config) {
  return stages({{"type", "NFC"}}, byte_level(config), bpe());
}

json qwen2_stages(const json& config) {
  constexpr const char* kWords =
      R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|)"
      R"(\s*[\r\n]+|\s+(?!\S)|\s+)";
  const json words = {{"type", "Split"},
                      {"pattern", {{"Regex", kWords}}},
                      {"behavior", "Isolated"},
                      {"invert", false}};
  return stages({{"type", "NFC"}}, sequence_of({words, byte_level(config, false)}), bpe());
}

json gemma_stages(const json& config) {
  const json blank = {{"String", " "}};
  return stages({{"type", "Replace"}, {"pattern", blank}, {"content", "▁"}},
                {{"type", "Split"},
                 {"pattern", blank},
                 {"behavior", "MergedWithPrevious"},
                 {"invert", false}},
                bpe({{"unk_token", content_of(value_or(config, "unk_token", "<unk>"))},
                     {"fuse_unk", true},
                     {"byte_fallback", true}}));
}

json llama_stages(const json& config) {
  const bool prefix = value_or(config, "add_prefix_space", true) != json(false);
  const bool legacy = value_or(config, "legacy", false) == json(true);
  return stages(nullptr,
                {{"type", "Metaspace"},
                 {"replacement", "▁"},
                 {"prepend_scheme", !prefix  ? "never"
                                    : legacy ? "always"
                                             : "first"},
                 {"split", false}},
                bpe({{"fuse_unk", true}, {"byte_fallback", true}}));
}

// Words with a mark before each, as unigrams of which the one with index `unk_id` is unknown.
json unigram_stages(int unk_id, const char* prepend_scheme = "always") {
  return stages(nullptr,
                sequence_of({{{"type", "WhitespaceSplit"}},
                             {{"type", "Metaspace"},
                              {"replacement", "▁"},
                              {"prepend_scheme", prepend_scheme},
                              {"split", true}}}),
                {{"type", "Unigram"},
                 {"unk_id", unk_id},
                 {"vocab", json::array({{"a", 0}, {"b", 0}, {"c", 0}, {"d", 0}})}});
}

json t5_stages(const json& /*config*/) { return unigram_stages(2); }

json xlm_roberta_stages(const json& config) {
  const bool prefix = value_or(config, "add_prefix_space", true) != json(false);
  return unigram_stages(3, prefix ? "always" : "never");
}

// Special tokens by the member of the configuration that names them.
using NamedTokens = std::map<std::string, std::string>;

// The members of the configuration that name the tokens around a text, in order; unset where the
// post-processor of the file decides.
using Around = std::optional<std::vector<std::string>>;

struct RebuildingClass {
  std::vector<std::string_view> names;   // without "Fast" at the end
  std::vector<std::string_view> models;  // types of models that have it where no file names a class
  json (*stages)(const json& config);    // null: in ways not known here
  NamedTokens tokens;                    // those that it has where the configuration names none
  Around around;
};

// Classes that rebuild their stages in ways that are not known here.
RebuildingClass unknown_classes() {
  return {
      {"AlbertTokenizer",     "BarthezTokenizer",     "BigBirdTokenizer",  "BlenderbotTokenizer",
       "CLIPTokenizer",       "CamembertTokenizer",   "CohereTokenizer",   "DebertaTokenizer",
       "DebertaV2Tokenizer",  "FunnelTokenizer",      "HerbertTokenizer",  "LayoutLMv2Tokenizer",
       "LayoutLMv3Tokenizer", "LukeTokenizer",        "LxmertTokenizer",   "MBart50Tokenizer",
       "MBartTokenizer",      "MPNetTokenizer",       "MvpTokenizer",      "NllbTokenizer",
       "OpenAIGPTTokenizer",  "PegasusTokenizer",     "Qwen3_5Tokenizer",  "ReformerTokenizer",
       "RemBertTokenizer",    "SeamlessM4TTokenizer", "SplinterTokenizer", "WhisperTokenizer",
       "XGLMTokenizer",       "XLNetTokenizer"},
      {},
      nullptr,
      {},
      {}};
}

const std::vector<RebuildingClass>& rebuilding_classes() {
  static const NamedTokens kBert = {{"unk_token", "[UNK]"},
                                    {"sep_token", "[SEP]"},
                                    {"pad_token", "[PAD]"},
                                    {"cls_token", "[CLS]"},
                                    {"mask_token", "[MASK]"}};
  static const NamedTokens kRoberta = {
      {"bos_token", "<s>"},   {"eos_token", "</s>"},  {"sep_token", "</s>"},   {"cls_token", "<s>"},
      {"unk_token", "<unk>"}, {"pad_token", "<pad>"}, {"mask_token", "<mask>"}};
  static const NamedTokens kEnd = {{"unk_token", "<|endoftext|>"}, {"eos_token", "<|endoftext|>"}};
  static const std::vector<RebuildingClass> kClasses = {
      {{"BertTokenizer", "DistilBertTokenizer", "ElectraTokenizer", "MobileBertTokenizer"},
       {"bert", "distilbert"},
       bert_stages,
       kBert,
       {{"cls_token", "sep_token"}}},
      {{"RobertaTokenizer", "BartTokenizer", "LEDTokenizer", "LongformerTokenizer"},
       {"bart", "roberta"},
       byte_level_stages,
       kRoberta,
       {{"cls_token", "sep_token"}}},
      {{"GPT2Tokenizer"}, {"gpt2", "gpt_neo", "opt"}, byte_level_stages, kEnd, {}},
      {{"GPTNeoXTokenizer"},
       {"gpt_neox"},
       gpt_neox_stages,
       {{"unk_token", "<|endoftext|>"},
        {"eos_token", "<|endoftext|>"},
        {"pad_token", "<|padding|>"}},
       Around(std::in_place)},
      {{"Qwen2Tokenizer"}, {"qwen2", "qwen3"}, qwen2_stages, kEnd, {}},
      {{"GemmaTokenizer"},
       {"gemma2", "gemma3", "gemma3_text"},
       gemma_stages,
       {{"unk_token", "<unk>"},
        {"bos_token", "<bos>"},
        {"eos_token", "<eos>"},
        {"pad_token", "<pad>"},
        {"mask_token", "<mask>"}},
       {}},
      {{"LlamaTokenizer", "CodeLlamaTokenizer"},
       {},
       llama_stages,
       {{"unk_token", "<unk>"}, {"bos_token", "<s>"}, {"eos_token", "</s>"}},
       {}},
      {{"T5Tokenizer"},
       {"t5"},
       t5_stages,
       {{"unk_token", "<unk>"}, {"eos_token", "</s>"}, {"pad_token", "<pad>"}},
       {{"eos_token"}}},
      {{"XLMRobertaTokenizer"}, {}, xlm_roberta_stages, kRoberta, {{"bos_token", "eos_token"}}},
      unknown_classes()};
  return kClasses;
}

const RebuildingClass* class_of_name(std::string_view name) {
  if (name.ends_with("Fast")) name.remove_suffix(4);
  for (const RebuildingClass& rebuilding : rebuilding_classes())
    if (std::ranges::find(rebuilding.names, name) != rebuilding.names.end()) return &rebuilding;
  return nullptr;
}

// The one for a model of that type whose files name no class; null: it reads the whole file.
const RebuildingClass* class_of_model(const std::string& type) {
  for (const RebuildingClass& rebuilding : rebuilding_classes())
    if (std::ranges::find(rebuilding.models, type) != rebuilding.models.end()) return &rebuilding;
  return nullptr;
}

bool is_byte_level(const tokenizer::PreTokenizer& node) {
  return std::holds_alternative<tokenizer::ByteLevelPreTokenizer>(node);
}

// The class that AutoTokenizer takes, if it rebuilds its stages; null: it reads the whole file.
const RebuildingClass* reference_class(const json& config, const json& model,
                                       const Tokenizer& opened) {
  const auto name_in = [](const json& object) {
    return object.is_object() ? content_of(object.value("tokenizer_class", json())) : "";
  };
  const std::string type =
      model.is_object() ? content_of(model.value("model_type", json())) : std::string();
  std::string declared = name_in(config);
  if (declared.empty()) declared = name_in(model);
  // Mistral's models always read the file, Qwen2's never do.
  if (type == "mistral") return nullptr;
  if (declared.empty() || type == "qwen2") return class_of_model(type);
  const RebuildingClass* const taken = class_of_name(declared);
  const bool llama = taken != nullptr && taken->stages == llama_stages;
  if (llama && std::ranges::any_of(opened.pipeline().pre_tokenizers, is_byte_level)) return nullptr;
  return taken;
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
