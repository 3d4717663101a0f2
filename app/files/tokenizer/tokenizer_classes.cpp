#include "app/files/tokenizer/tokenizer_classes.h"

#include <algorithm>

namespace lab::files {

using nlohmann::json;

std::string content_of(const json& token) {
  const json& text = token.is_object() ? token.value("content", json()) : token;
  return text.is_string() ? text.get<std::string>() : std::string();
}

json value_or(const json& config, const char* key, const json& otherwise) {
  const auto at = config.find(key);
  return at == config.end() || at->is_null() ? otherwise : *at;
}

namespace {

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

// Classes that rebuild their stages in ways that are not known here.
RebuildingClass unknown_classes() {
  return {
      {"AlbertTokenizer",      "BarthezTokenizer",   "BigBirdTokenizer",    "BlenderbotTokenizer",
       "CLIPTokenizer",        "CamembertTokenizer", "CohereTokenizer",     "DebertaV2Tokenizer",
       "FunnelTokenizer",      "HerbertTokenizer",   "LayoutLMv2Tokenizer", "LayoutLMv3Tokenizer",
       "LukeTokenizer",        "LxmertTokenizer",    "MBart50Tokenizer",    "MBartTokenizer",
       "MPNetTokenizer",       "MvpTokenizer",       "NllbTokenizer",       "OpenAIGPTTokenizer",
       "PegasusTokenizer",     "Qwen3_5Tokenizer",   "ReformerTokenizer",   "RemBertTokenizer",
       "SeamlessM4TTokenizer", "SplinterTokenizer",  "WhisperTokenizer",    "XGLMTokenizer",
       "XLNetTokenizer"},
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
  static const NamedTokens kDeberta = [] {
    NamedTokens tokens = kBert;
    tokens["bos_token"] = "[CLS]";
    tokens["eos_token"] = "[SEP]";
    return tokens;
  }();
  using Around = std::optional<std::vector<std::string>>;
  static const NamedTokens kEnd = {{"unk_token", "<|endoftext|>"}, {"eos_token", "<|endoftext|>"}};
  static const std::vector<RebuildingClass> kClasses = {
      {{"BertTokenizer", "DistilBertTokenizer", "ElectraTokenizer", "MobileBertTokenizer"},
       bert_stages,
       kBert,
       {{"cls_token", "sep_token"}}},
      {{"RobertaTokenizer", "BartTokenizer", "LEDTokenizer", "LongformerTokenizer"},
       byte_level_stages,
       kRoberta,
       {{"cls_token", "sep_token"}}},
      {{"DebertaTokenizer"}, byte_level_stages, kDeberta, {{"cls_token", "sep_token"}}, true},
      {{"GPT2Tokenizer"}, byte_level_stages, kEnd, {}},
      {{"GPTNeoXTokenizer"},
       gpt_neox_stages,
       {{"unk_token", "<|endoftext|>"},
        {"eos_token", "<|endoftext|>"},
        {"pad_token", "<|padding|>"}},
       Around(std::in_place)},
      {{"Qwen2Tokenizer"}, qwen2_stages, kEnd, {}},
      {{"GemmaTokenizer"},
       gemma_stages,
       {{"unk_token", "<unk>"},
        {"bos_token", "<bos>"},
        {"eos_token", "<eos>"},
        {"pad_token", "<pad>"},
        {"mask_token", "<mask>"}},
       {}},
      {{"LlamaTokenizer", "CodeLlamaTokenizer"},
       llama_stages,
       {{"unk_token", "<unk>"}, {"bos_token", "<s>"}, {"eos_token", "</s>"}},
       {}},
      {{"T5Tokenizer"},
       t5_stages,
       {{"unk_token", "<unk>"}, {"eos_token", "</s>"}, {"pad_token", "<pad>"}},
       {{"eos_token"}}},
      {{"XLMRobertaTokenizer"}, xlm_roberta_stages, kRoberta, {{"bos_token", "eos_token"}}},
      unknown_classes()};
  return kClasses;
}

// Types of models and the class that transformers registers for them.
struct RegisteredClass {
  std::string_view name;
  std::vector<std::string_view> models;
};

constexpr std::string_view kWholeFile = "TokenizersBackend";

const std::vector<RegisteredClass>& registered_classes() {
  static const std::vector<RegisteredClass> kRegistered = {
      {"AlbertTokenizer", {"albert", "yoso"}},
      {"BarthezTokenizer", {"barthez"}},
      {"BertTokenizer", {"bert", "distilbert", "electra", "ernie", "convbert", "squeezebert"}},
      {"BigBirdTokenizer", {"big_bird"}},
      {"BioGptTokenizer", {"biogpt"}},
      {"CamembertTokenizer", {"camembert"}},
      {"CodeLlamaTokenizer", {"code_llama"}},
      {"CohereTokenizer", {"cohere", "cohere2"}},
      {"DebertaTokenizer", {"deberta"}},
      {"DebertaV2Tokenizer", {"deberta-v2"}},
      {"FNetTokenizer", {"fnet"}},
      {"GPT2Tokenizer",
       {"gpt2", "gpt_neo", "gptj", "codegen", "opt", "phi", "starcoder2", "dbrx", "jais2"}},
      {"GPTNeoXTokenizer", {"gpt_neox", "mpt", "olmo", "olmoe", "mamba", "rwkv"}},
      {"GemmaTokenizer",
       {"gemma", "gemma2", "gemma3", "gemma3_text", "gemma3n", "gemma3n_text", "t5gemma",
        "recurrent_gemma"}},
      {"LEDTokenizer", {"led"}},
      {"M2M100Tokenizer", {"m2m_100"}},
      {"MBart50Tokenizer", {"mbart50"}},
      {"MBartTokenizer", {"mbart"}},
      {"MPNetTokenizer", {"mpnet"}},
      {"MarianTokenizer", {"marian"}},
      {"MobileBertTokenizer", {"mobilebert"}},
      {"NllbTokenizer", {"nllb", "nllb-moe"}},
      {"PegasusTokenizer", {"pegasus"}},
      {"Qwen2Tokenizer", {"qwen2", "qwen2_moe", "qwen3", "qwen3_moe", "qwen3_next"}},
      {"ReformerTokenizer", {"reformer"}},
      {"RemBertTokenizer", {"rembert"}},
      {"RoFormerTokenizer", {"roformer"}},
      {"RobertaTokenizer", {"roberta", "bart", "longformer", "roberta-prelayernorm"}},
      {"T5Tokenizer", {"t5", "mt5", "switch_transformers"}},
      {"XGLMTokenizer", {"xglm"}},
      {"XLMRobertaTokenizer", {"xlm-roberta", "xmod"}},
      {"XLNetTokenizer", {"xlnet"}},
      {kWholeFile,
       {"bigbird_pegasus", "ernie4_5",   "glm",        "glm4",          "glm4_moe",  "gpt_bigcode",
        "granite",         "granitemoe", "internlm2",  "internlm3",     "jamba",     "minicpm3",
        "minimax_m2",      "ministral",  "ministral3", "mistral",       "mixtral",   "modernbert",
        "nemotron",        "olmo2",      "olmo3",      "pegasus_x",     "persimmon", "phi3",
        "phimoe",          "stablelm",   "umt5",       "xlm-roberta-xl"}}};
  return kRegistered;
}

// Empty: none.
std::string registered_class(const std::string& type) {
  for (const RegisteredClass& registered : registered_classes())
    if (std::ranges::find(registered.models, type) != registered.models.end())
      return std::string(registered.name);
  return {};
}

std::string member_text(const json& object, const char* key) {
  return object.is_object() ? content_of(object.value(key, json())) : std::string();
}

bool names_a_class(const json& object) { return !member_text(object, "tokenizer_class").empty(); }

}  // namespace

const RebuildingClass* class_of_name(std::string_view name) {
  for (const RebuildingClass& rebuilding : rebuilding_classes())
    if (std::ranges::find(rebuilding.names, name) != rebuilding.names.end()) return &rebuilding;
  return nullptr;
}

std::string class_name_of_folder(const json& config, const json& model) {
  const std::string type = member_text(model, "model_type");
  const std::string registered = registered_class(type);
  std::string named = member_text(config, "tokenizer_class");
  if (named.empty()) named = member_text(model, "tokenizer_class");
  if (named.ends_with("Fast")) named.resize(named.size() - 4);
  if (named.empty()) return registered.empty() ? std::string(kWholeFile) : registered;
  // Of some types transformers knows that their files name a wrong class.
  return registered == kWholeFile || type == "qwen2" ? registered : named;
}

const RebuildingClass* class_of_folder(const json& config, const json& model, bool bytes) {
  const RebuildingClass* const taken = class_of_name(class_name_of_folder(config, model));
  if (taken == nullptr || (bytes && taken->stages == llama_stages)) return nullptr;
  // What is not known is said of a class that a file names.
  return taken->stages != nullptr || names_a_class(config) || names_a_class(model) ? taken
                                                                                   : nullptr;
}

}  // namespace lab::files
