#include "app/files/model/gguf/gguf_tokenizer.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>

#include "app/base/bad_input.h"
#include "app/base/byte_text.h"

namespace lab::files {
namespace {

using nlohmann::json;

constexpr const char* kSpace = "\u2581";  // how sentencepiece writes a space

// The types of tokens, by their numbers in the file.
enum class TokenType { kNormal = 1, kUnknown, kControl, kUserDefined, kUnused, kByte };

std::string key_of(const char* name) { return std::string("tokenizer.ggml.") + name; }

const json* find(const json& metadata, const char* name) {
  const auto at = metadata.find(key_of(name));
  return at == metadata.end() ? nullptr : &*at;
}

[[noreturn]] void refuse(const char* name, const std::string& problem) {
  throw BadInput("key " + in_quotes(key_of(name)) + ": " + problem);
}

std::string text_or(const json& metadata, const char* name, const char* default_value) {
  const json* const value = find(metadata, name);
  if (value == nullptr) return default_value;
  if (!value->is_string()) refuse(name, "should be a text");
  return value->get<std::string>();
}

bool flag_or(const json& metadata, const char* name, bool default_value) {
  const json* const value = find(metadata, name);
  if (value == nullptr) return default_value;
  if (!value->is_boolean()) refuse(name, "should be true or false");
  return value->get<bool>();
}

// A list whose items are all of one kind; empty when it is missing.
template <typename Item>
std::vector<Item> list_of(const json& metadata, const char* name, bool (json::*is_item)() const) {
  const json* const list = find(metadata, name);
  if (list == nullptr) return {};
  std::vector<Item> items;
  if (!list->is_array()) refuse(name, "should be a list");
  for (const json& item : *list) {
    if (!(item.*is_item)()) refuse(name, "an item of another kind: " + in_quotes(item.dump()));
    items.push_back(item.get<Item>());
  }
  return items;
}

// How text is split before byte pairs are merged, by tokenizer.ggml.pre. The patterns are those of
// the tokenizer.json of the models that these names stand for.
struct Split {
  const char* pattern = nullptr;  ///< null: GPT-2's, which ByteLevel has itself
  bool digits_alone = false;      ///< each digit is a piece
  bool begins = false;            ///< texts begin with a token where the file does not say
  bool ignores_merges = false;    ///< a piece that is a token is not merged from its bytes
  bool composes = false;          ///< text is normalised by NFC before
  bool falcon = false;            ///< runs of punctuation are pieces, and digits in threes
};

constexpr const char* kLlama3 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr const char* kQwen2 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr const char* kO200k =
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr const char* kBloom = R"( ?[^(\s|.,!?…。，、।۔،)]+)";

struct NamedSplit {
  std::string_view name;
  Split split;
};
constexpr std::array kSplits = std::to_array<NamedSplit>({
    {"gpt-2", {}},
    {"default", {}},
    {"phi-2", {}},
    {"olmo", {}},
    {"exaone4", {}},
    {"roberta-bpe", {}},
    {"mpt", {.composes = true}},
    {"modern-bert", {.composes = true}},
    {"llama-bpe", {.pattern = kLlama3, .begins = true, .ignores_merges = true}},
    {"llama3", {.pattern = kLlama3, .begins = true, .ignores_merges = true}},
    {"llama-v3", {.pattern = kLlama3, .begins = true, .ignores_merges = true}},
    {"falcon3", {.pattern = kLlama3, .begins = true, .ignores_merges = true}},
    {"dbrx", {.pattern = kLlama3}},
    {"smaug-bpe", {.pattern = kLlama3}},
    {"gpt-4o", {.pattern = kO200k}},
    {"glm4", {.pattern = kLlama3, .ignores_merges = true}},
    {"chatglm-bpe", {.pattern = kLlama3}},
    {"bloom", {.pattern = kBloom}},
    {"gpt3-finnish", {.pattern = kBloom}},
    {"falcon", {.falcon = true}},
    {"qwen2", {.pattern = kQwen2, .composes = true}},
    {"stablelm2", {.pattern = kQwen2}},
    {"smollm", {.digits_alone = true}},
    {"starcoder", {.digits_alone = true}},
    {"refact", {.digits_alone = true}},
    {"command-r", {.digits_alone = true}},
    {"codeshell", {.digits_alone = true}},
    {"exaone", {.digits_alone = true}},
});

json split_by(const char* pattern) {
  return {{"type", "Split"},
          {"pattern", {{"Regex", pattern}}},
          {"behavior", "Isolated"},
          {"invert", false}};
}

json pre_tokenizer_of(const Split& split) {
  json bytes = {{"type", "ByteLevel"},
                {"add_prefix_space", false},
                {"trim_offsets", true},
                {"use_regex", split.pattern == nullptr}};
  if (split.pattern != nullptr)
    return {{"type", "Sequence"}, {"pretokenizers", {split_by(split.pattern), bytes}}};
  if (split.falcon)
    return {{"type", "Sequence"},
            {"pretokenizers",
             {{{"type", "Punctuation"}, {"behavior", "Contiguous"}},
              bytes,
              {{"type", "Digits"}, {"individual_digits", false}},
              split_by("[0-9][0-9][0-9]")}}};
  if (!split.digits_alone) return bytes;
  return {{"type", "Sequence"},
          {"pretokenizers", {{{"type", "Digits"}, {"individual_digits", true}}, bytes}}};
}

// What all kinds of tokenizers have in their metadata.
class Vocabulary {
 public:
  explicit Vocabulary(const json& metadata)
      : tokens(list_of<std::string>(metadata, "tokens", &json::is_string)),
        types(list_of<int>(metadata, "token_type", &json::is_number_integer)),
        metadata_(metadata) {
    if (!types.empty() && types.size() != tokens.size())
      refuse("token_type", std::to_string(types.size()) + " types for " +
                               std::to_string(tokens.size()) + " tokens");
  }

  bool is(std::size_t id, TokenType type) const {
    return id < types.size() && types[id] == static_cast<int>(type);
  }
  // The number of a token that a key names; `otherwise` when there is none.
  std::size_t id_in(const char* name, std::size_t otherwise) const {
    const json* const id = find(metadata_, name);
    if (id == nullptr) return otherwise;
    if (!id->is_number_unsigned() || id->get<std::uint64_t>() >= tokens.size())
      refuse(name, "should be the number of a token, below " + std::to_string(tokens.size()));
    return id->get<std::size_t>();
  }
  json ids() const {
    json ids = json::object();
    for (std::size_t id = 0; id < tokens.size(); ++id)
      if (!ids.emplace(tokens[id], id).second)
        refuse("tokens", in_quotes(tokens[id]) + " is there twice");
    return ids;
  }
  json added() const {
    json added = json::array();
    for (std::size_t id = 0; id < tokens.size(); ++id) {
      const bool special = is(id, TokenType::kControl) || is(id, TokenType::kUnknown);
      if (special || is(id, TokenType::kUserDefined))
        added.push_back({{"id", id},
                         {"content", tokens[id]},
                         {"single_word", false},
                         {"lstrip", false},
                         {"rstrip", false},
                         {"normalized", false},
                         {"special", special}});
    }
    return added;
  }
  // Puts the tokens at the ends of a text that the file asks for; null for none.
  // `bos` and `eos` are their numbers where the file does not say.
  json ends(bool begins, std::size_t default_bos, std::size_t default_eos) const {
    constexpr bool finishes = false;
    const std::size_t bos = id_in("bos_token_id", default_bos);
    const std::size_t eos = id_in("eos_token_id", default_eos);
    json single = json::array(), special = json::object();
    if (flag_or(metadata_, "add_bos_token", begins)) add_end(bos, 0, single, special);
    single.push_back({{"Sequence", {{"id", "A"}, {"type_id", 0}}}});
    if (flag_or(metadata_, "add_eos_token", finishes)) add_end(eos, 0, single, special);
    json pair = single;
    pair.push_back({{"Sequence", {{"id", "B"}, {"type_id", 1}}}});
    return processor(single, pair, special);
  }
  // The same for BERT: a token before the text, and one after each sentence of it.
  json ends_of_sentences(std::size_t first, std::size_t last) const {
    const bool begins = flag_or(metadata_, "add_bos_token", true);
    const bool finishes = flag_or(metadata_, "add_sep_token", true);
    json single = json::array(), special = json::object();
    if (begins) add_end(first, 0, single, special);
    single.push_back({{"Sequence", {{"id", "A"}, {"type_id", 0}}}});
    if (finishes) add_end(last, 0, single, special);
    json pair = single;
    pair.push_back({{"Sequence", {{"id", "B"}, {"type_id", 1}}}});
    if (finishes) add_end(last, 1, pair, special);
    return processor(single, pair, special);
  }
  // The same for unigrams: XLM-RoBERTa's have a token before the text and two between sentences,
  // T5's one after each sentence. `eos` is its number where the file does not say.
  json ends_of_unigrams(std::size_t default_eos) const {
    const bool begins = flag_or(metadata_, "add_bos_token", false);
    const bool finishes = flag_or(metadata_, "add_eos_token", true);
    const std::size_t eos = id_in("eos_token_id", default_eos);
    json single = json::array(), special = json::object();
    if (begins) add_end(id_in("bos_token_id", tokens.size()), 0, single, special);
    single.push_back({{"Sequence", {{"id", "A"}, {"type_id", 0}}}});
    if (finishes) add_end(eos, 0, single, special);
    json pair = single;
    if (begins && finishes) add_end(eos, 0, pair, special);
    pair.push_back({{"Sequence", {{"id", "B"}, {"type_id", 0}}}});
    if (finishes) add_end(eos, 0, pair, special);
    return processor(single, pair, special);
  }
  // The number of the token `text`; the number of tokens when there is none.
  std::size_t id_of(std::string_view text) const {
    return static_cast<std::size_t>(std::ranges::find(tokens, text) - tokens.begin());
  }

  std::vector<std::string> tokens;
  std::vector<int> types;

 private:
  void add_end(std::size_t id, int type, json& place, json& special) const {
    if (id >= tokens.size()) return;
    place.push_back({{"SpecialToken", {{"id", tokens[id]}, {"type_id", type}}}});
    special[tokens[id]] = {{"id", tokens[id]}, {"ids", {id}}, {"tokens", {tokens[id]}}};
  }
  static json processor(const json& single, const json& pair, const json& special) {
    if (special.empty()) return nullptr;
    return {{"type", "TemplateProcessing"},
            {"single", single},
            {"pair", pair},
            {"special_tokens", special}};
  }

  const json& metadata_;
};

json byte_pairs(const json& metadata, std::vector<std::string>& notes) {
  const Vocabulary vocabulary(metadata);
  const std::string name = text_or(metadata, "pre", "default");
  const auto known = std::ranges::find(kSplits, name, &NamedSplit::name);
  if (known == kSplits.end())
    notes.push_back("how text is split into pieces, " + in_quotes(name) +
                    ", is not known: it is split as for GPT-2, and tokens may differ");
  const Split split = known == kSplits.end() ? Split{} : known->split;
  json merges = json::array();
  for (const std::string& merge : list_of<std::string>(metadata, "merges", &json::is_string)) {
    const std::size_t space = merge.find(' ', 1);
    if (space == merge.npos) refuse("merges", in_quotes(merge) + " is no pair");
    merges.push_back({merge.substr(0, space), merge.substr(space + 1)});
  }
  return {{"added_tokens", vocabulary.added()},
          {"normalizer", split.composes ? json{{"type", "NFC"}} : json()},
          {"pre_tokenizer", pre_tokenizer_of(split)},
          {"post_processor", vocabulary.ends(split.begins, vocabulary.id_of("<|begin_of_text|>"),
                                             vocabulary.tokens.size())},
          {"decoder",
           {{"type", "ByteLevel"},
            {"add_prefix_space", false},
            {"trim_offsets", true},
            {"use_regex", true}}},
          {"model",
           {{"type", "BPE"},
            {"dropout", nullptr},
            {"unk_token", nullptr},
            {"continuing_subword_prefix", nullptr},
            {"end_of_word_suffix", nullptr},
            {"fuse_unk", false},
            {"byte_fallback", false},
            {"ignore_merges", split.ignores_merges},
            {"vocab", vocabulary.ids()},
            {"merges", merges}}}};
}

// Sentencepiece merges the pair that makes the token with the largest score: so the merges are all
// pairs that make a token, by its score.
json merges_by_score(const Vocabulary& vocabulary, const std::vector<double>& scores) {
  std::unordered_map<std::string_view, std::size_t> ids;
  for (std::size_t id = 0; id < vocabulary.tokens.size(); ++id)
    ids.emplace(vocabulary.tokens[id], id);
  struct Merge {
    double score;
    std::string_view left, right;
  };
  std::vector<Merge> merges;
  for (std::size_t id = 0; id < vocabulary.tokens.size(); ++id) {
    if (!vocabulary.types.empty() && !vocabulary.is(id, TokenType::kNormal)) continue;
    const std::string_view token = vocabulary.tokens[id];
    for (std::size_t cut = 1; cut < token.size(); ++cut) {
      if ((static_cast<unsigned char>(token[cut]) & 0xC0U) == 0x80) continue;  // within a character
      const Merge merge{scores[id], token.substr(0, cut), token.substr(cut)};
      if (ids.contains(merge.left) && ids.contains(merge.right)) merges.push_back(merge);
    }
  }
  std::ranges::stable_sort(merges, std::ranges::greater(), &Merge::score);
  json list = json::array();
  for (const Merge& merge : merges) list.push_back({merge.left, merge.right});
  return list;
}

std::vector<double> scores_of(const json& metadata, const Vocabulary& vocabulary) {
  std::vector<double> scores = list_of<double>(metadata, "scores", &json::is_number);
  if (scores.size() != vocabulary.tokens.size())
    refuse("scores", std::to_string(scores.size()) + " scores for " +
                         std::to_string(vocabulary.tokens.size()) + " tokens");
  return scores;
}

json sentence_pieces(const json& metadata) {
  const Vocabulary vocabulary(metadata);
  const std::vector<double> scores = scores_of(metadata, vocabulary);
  constexpr std::size_t kUnknown = 0, kBos = 1, kEos = 2;  // where the file does not say
  const std::size_t unknown = vocabulary.id_in("unknown_token_id", kUnknown);
  const bool prefix = flag_or(metadata, "add_space_prefix", true);
  json normalizers = json::array();
  if (prefix) normalizers.push_back({{"type", "Prepend"}, {"prepend", kSpace}});
  normalizers.push_back({{"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", kSpace}});
  json decoders = {{{"type", "Replace"}, {"pattern", {{"String", kSpace}}}, {"content", " "}},
                   {{"type", "ByteFallback"}},
                   {{"type", "Fuse"}}};
  if (prefix) decoders.push_back({{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}});
  return {{"added_tokens", vocabulary.added()},
          {"normalizer", {{"type", "Sequence"}, {"normalizers", normalizers}}},
          {"pre_tokenizer", nullptr},
          {"post_processor", vocabulary.ends(true, kBos, kEos)},
          {"decoder", {{"type", "Sequence"}, {"decoders", decoders}}},
          {"model",
           {{"type", "BPE"},
            {"dropout", nullptr},
            {"unk_token",
             unknown < vocabulary.tokens.size() ? json(vocabulary.tokens[unknown]) : json()},
            {"continuing_subword_prefix", nullptr},
            {"end_of_word_suffix", nullptr},
            {"fuse_unk", true},
            {"byte_fallback", true},
            {"ignore_merges", false},
            {"vocab", vocabulary.ids()},
            {"merges", merges_by_score(vocabulary, scores)}}}};
}

// The table by which text is normalised, which the file has as a list of bytes.
std::string charsmap_in(const json& metadata) {
  std::string bytes;
  for (const int byte : list_of<int>(metadata, "precompiled_charsmap", &json::is_number_integer)) {
    if (byte < -128 || byte > 255) refuse("precompiled_charsmap", "should be a list of bytes");
    bytes.push_back(static_cast<char>(byte));
  }
  return bytes;
}

// The pieces of sentencepiece's unigrams, as T5 and XLM-RoBERTa have them.
json unigrams(const json& metadata) {
  const Vocabulary vocabulary(metadata);
  const std::vector<double> scores = scores_of(metadata, vocabulary);
  constexpr std::size_t kEos = 1, kUnknown = 2;  // where the file does not say
  json vocab = json::array();
  for (std::size_t id = 0; id < scores.size(); ++id)
    vocab.push_back({vocabulary.tokens[id], scores[id]});
  json normalizers = json::array();
  if (const std::string charsmap = charsmap_in(metadata); !charsmap.empty())
    normalizers.push_back({{"type", "Precompiled"}, {"precompiled_charsmap", base64(charsmap)}});
  if (flag_or(metadata, "remove_extra_whitespaces", false))
    for (const auto& [pattern, content] : {std::pair{"\\A +| +\\z", ""}, std::pair{" {2,}", " "}})
      normalizers.push_back(
          {{"type", "Replace"}, {"pattern", {{"Regex", pattern}}}, {"content", content}});
  const json marks = {
      {"type", "Metaspace"},
      {"replacement", kSpace},
      {"prepend_scheme", flag_or(metadata, "add_space_prefix", true) ? "always" : "never"},
      {"split", true}};
  return {{"added_tokens", vocabulary.added()},
          {"normalizer", {{"type", "Sequence"}, {"normalizers", normalizers}}},
          {"pre_tokenizer", marks},
          {"post_processor", vocabulary.ends_of_unigrams(kEos)},
          {"decoder", marks},
          {"model",
           {{"type", "Unigram"},
            {"unk_id", vocabulary.id_in("unknown_token_id", kUnknown)},
            {"byte_fallback", false},
            {"vocab", vocab}}}};
}

bool is_in_brackets(std::string_view token) {
  return token.starts_with('[') && token.ends_with(']');
}

// BERT's tokens as its vocab.txt has them. The file has a space's sign before words, and nothing
// before pieces within words; special tokens are as they are.
void restore_word_pieces(Vocabulary& vocabulary) {
  const std::string_view space = kSpace;
  for (std::size_t id = 0; id < vocabulary.tokens.size(); ++id) {
    std::string& token = vocabulary.tokens[id];
    if (vocabulary.is(id, TokenType::kControl) || is_in_brackets(token)) continue;
    if (token.starts_with(space)) {
      token.erase(0, space.size());
    } else {
      token.insert(0, "##");
    }
  }
}

// True when no token but special ones has a capital letter, for which GGUF has no key.
bool is_lower_case(const Vocabulary& vocabulary) {
  return std::ranges::none_of(vocabulary.tokens, [](const std::string& token) {
    return !is_in_brackets(token) && !token.starts_with('<') &&
           std::ranges::any_of(token, [](char c) { return c >= 'A' && c <= 'Z'; });
  });
}

json word_pieces(const json& metadata) {
  Vocabulary vocabulary(metadata);
  restore_word_pieces(vocabulary);
  const std::size_t unknown = vocabulary.id_in("unknown_token_id", vocabulary.id_of("[UNK]"));
  if (unknown >= vocabulary.tokens.size()) refuse("unknown_token_id", "is missing");
  const std::size_t first =
      vocabulary.id_in("cls_token_id", vocabulary.id_in("bos_token_id", vocabulary.id_of("[CLS]")));
  const std::size_t last = vocabulary.id_in(
      "seperator_token_id", vocabulary.id_in("eos_token_id", vocabulary.id_of("[SEP]")));
  return {{"added_tokens", vocabulary.added()},
          {"normalizer",
           {{"type", "BertNormalizer"},
            {"clean_text", true},
            {"handle_chinese_chars", true},
            {"strip_accents", nullptr},
            {"lowercase", is_lower_case(vocabulary)}}},
          {"pre_tokenizer", {{"type", "BertPreTokenizer"}}},
          {"post_processor", vocabulary.ends_of_sentences(first, last)},
          {"decoder", {{"type", "WordPiece"}, {"prefix", "##"}, {"cleanup", true}}},
          {"model",
           {{"type", "WordPiece"},
            {"unk_token", vocabulary.tokens[unknown]},
            {"continuing_subword_prefix", "##"},
            {"max_input_chars_per_word", 100},
            {"vocab", vocabulary.ids()}}}};
}

}  // namespace

json gguf_tokenizer(const json& metadata, std::vector<std::string>& notes) {
  const std::string model = text_or(metadata, "model", "none");
  if (model == "none" || model == "no_vocab") return nullptr;
  if (model == "gpt2") return byte_pairs(metadata, notes);
  if (model == "llama") return sentence_pieces(metadata);
  if (model == "bert") return word_pieces(metadata);
  if (model == "t5") return unigrams(metadata);
  refuse("model", in_quotes(model) + " is not supported; supported are gpt2, llama, bert and t5");
}

}  // namespace lab::files
