#include "app/files/tokenizer/spm_classes.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string>

#include "app/base/bad_input.h"

namespace lab::files {

using nlohmann::json;

json marked_pieces(const SentencePieceModel& model) {
  json marked = json::array();
  for (const SentencePiece& piece : model.pieces)
    if (piece.type == PieceType::kControl || piece.type == PieceType::kUserDefined)
      marked.push_back({{"content", piece.text},
                        {"normalized", false},
                        {"special", piece.type == PieceType::kControl}});
  return marked;
}

ScoredPieces pieces_as_they_are(const SpmSource& source) {
  ScoredPieces pieces;
  pieces.reserve(source.model.pieces.size());
  for (const SentencePiece& piece : source.model.pieces)
    pieces.emplace_back(piece.text, static_cast<double>(piece.score));
  return pieces;
}

namespace {

// The languages of mBART, then those that mBART-50 adds.
constexpr std::size_t kMBartLanguages = 25;
constexpr std::array kLanguages = {
    "ar_AR", "cs_CZ", "de_DE", "en_XX", "es_XX", "et_EE", "fi_FI", "fr_XX", "gu_IN",
    "hi_IN", "it_IT", "ja_XX", "kk_KZ", "ko_KR", "lt_LT", "lv_LV", "my_MM", "ne_NP",
    "nl_XX", "ro_RO", "ru_RU", "si_LK", "tr_TR", "vi_VN", "zh_CN", "af_ZA", "az_AZ",
    "bn_IN", "fa_IR", "he_IL", "hr_HR", "id_ID", "ka_GE", "km_KH", "mk_MK", "ml_IN",
    "mn_MN", "mr_IN", "pl_PL", "ps_AF", "pt_XX", "sv_SE", "sw_KE", "ta_IN", "te_IN",
    "th_TH", "tl_XX", "uk_UA", "ur_PK", "xh_ZA", "gl_ES", "sl_SI"};

std::string mask_of(const SpmSource& source) {
  return named_in(source.config, "mask_token", "<mask>");
}

// The pieces from `first` on, after others.
void append_pieces(const SpmSource& source, std::size_t first, ScoredPieces& pieces) {
  const ScoredPieces own = pieces_as_they_are(source);
  for (std::size_t id = first; id < own.size(); ++id) pieces.push_back(own[id]);
}

// The order of fairseq: four tokens for the first three pieces.
ScoredPieces fairseq_pieces(const SpmSource& source, const char* first, std::size_t languages) {
  ScoredPieces pieces = {{named_in(source.config, first, "<s>"), 0},
                         {named_in(source.config, "pad_token", "<pad>"), 0},
                         {named_in(source.config, "eos_token", "</s>"), 0},
                         {named_in(source.config, "unk_token", "<unk>"), 0}};
  append_pieces(source, 3, pieces);
  for (std::size_t i = 0; i < languages; ++i) pieces.emplace_back(kLanguages.at(i), 0);
  pieces.emplace_back(mask_of(source), 0);
  return pieces;
}

ScoredPieces xlm_roberta_pieces(const SpmSource& source) {
  return fairseq_pieces(source, "bos_token", 0);
}

ScoredPieces mbart_pieces(const SpmSource& source) {
  return fairseq_pieces(source, "bos_token", kMBartLanguages);
}

ScoredPieces mbart50_pieces(const SpmSource& source) {
  return fairseq_pieces(source, "cls_token", kLanguages.size());
}

ScoredPieces camembert_pieces(const SpmSource& source) {
  if (!source.model.unigram)
    throw BadInput("CamembertTokenizer reads unigrams, and the file has another model");
  ScoredPieces pieces = {{"<s>NOTUSED", 0},
                         {named_in(source.config, "pad_token", "<pad>"), 0},
                         {"</s>NOTUSED", 0},
                         {named_in(source.config, "unk_token", "<unk>"), 0},
                         {"<unk>NOTUSED", -100}};
  append_pieces(source, 1, pieces);
  pieces.emplace_back(mask_of(source), 0);
  return pieces;
}

ScoredPieces barthez_pieces(const SpmSource& source) {
  if (!source.model.unigram)
    throw BadInput("BarthezTokenizer reads unigrams, and the file has another model");
  return pieces_as_they_are(source);
}

std::uint64_t count_in(const SpmSource& source, const char* member, std::uint64_t otherwise) {
  constexpr std::uint64_t kMost = 100'000;
  const json count = value_or(source.config, member, otherwise);
  if (!count.is_number_unsigned() || count.get<std::uint64_t>() > kMost)
    throw BadInput("tokenizer_config.json: " + in_quotes(member) +
                   " should be a whole number up to " + std::to_string(kMost));
  return count.get<std::uint64_t>();
}

std::string numbered_token(const char* before, std::uint64_t i) {
  return before + std::to_string(i) + ">";
}

ScoredPieces t5_pieces(const SpmSource& source) {
  ScoredPieces pieces = pieces_as_they_are(source);
  for (std::uint64_t i = count_in(source, "extra_ids", 100); i-- > 0;)
    pieces.emplace_back(numbered_token("<extra_id_", i), 0);
  return pieces;
}

json t5_extras(const SpmSource& source) {
  const std::uint64_t count = count_in(source, "extra_ids", 100);
  json extras = marked_pieces(source.model);
  const auto own = static_cast<std::uint64_t>(std::ranges::count_if(extras, [](const json& token) {
    return content_of(token).find("<extra_id_") != std::string::npos;
  }));
  if (own > 0 && count > 0 && own != count)
    throw BadInput("extra_ids is " + std::to_string(count) + ", and the file has " +
                   std::to_string(own) + " of its own");
  for (std::uint64_t i = 0; own == 0 && i < count; ++i)
    extras.push_back(numbered_token("<extra_id_", i));
  return extras;
}

json mbart_extras(const SpmSource& source) {
  json extras(std::vector<std::string>(kLanguages.begin(), kLanguages.begin() + kMBartLanguages));
  for (json& piece : marked_pieces(source.model)) extras.push_back(std::move(piece));
  return extras;
}

json mbart50_extras(const SpmSource& source) {
  json extras = marked_pieces(source.model);
  for (const char* language : kLanguages) extras.push_back(language);
  return extras;
}

// The mask of sentences; empty: none.
std::string sentence_mask(const SpmSource& source, const char* otherwise) {
  const auto at = source.config.find("mask_token_sent");
  return at == source.config.end() ? otherwise : content_of(*at);
}

ScoredPieces pegasus_pieces(const SpmSource& source) {
  ScoredPieces pieces = {{named_in(source.config, "pad_token", "<pad>"), 0},
                         {named_in(source.config, "eos_token", "</s>"), 0}};
  const std::string mask = named_in(source.config, "mask_token", "<mask_1>");
  const std::string sentence = sentence_mask(source, "<mask_2>");
  pieces.emplace_back(mask, 0);
  if (!sentence.empty() && sentence != mask) pieces.emplace_back(sentence, 0);
  const std::uint64_t offset = count_in(source, "offset", 103);
  for (std::uint64_t i = 2; i < offset; ++i) pieces.emplace_back(numbered_token("<unk_", i), -100);
  append_pieces(source, 2, pieces);
  return pieces;
}

json pegasus_extras(const SpmSource& source) {
  json extras = json::array();
  const std::string sentence = sentence_mask(source, "<mask_1>");
  if (!sentence.empty()) extras.push_back(sentence);
  const std::uint64_t offset = count_in(source, "offset", 103);
  for (std::uint64_t i = 2; i < offset; ++i) extras.push_back(numbered_token("<unk_", i));
  return extras;
}

// NLLB has four tokens first and then the pieces, each once.
ScoredPieces nllb_pieces(const SpmSource& source) {
  ScoredPieces all = {{named_in(source.config, "bos_token", "<s>"), 0},
                      {named_in(source.config, "pad_token", "<pad>"), 0},
                      {named_in(source.config, "eos_token", "</s>"), 0},
                      {named_in(source.config, "unk_token", "<unk>"), 0}};
  append_pieces(source, 0, all);
  ScoredPieces pieces;
  std::set<std::string> known;
  for (const auto& piece : all)
    if (known.insert(piece.first).second) pieces.push_back(piece);
  return pieces;
}

NamedTokens fairseq_tokens() {
  return {{"bos_token", "<s>"},    {"eos_token", "</s>"},  {"sep_token", "</s>"},
          {"cls_token", "<s>"},    {"unk_token", "<unk>"}, {"pad_token", "<pad>"},
          {"mask_token", "<mask>"}};
}

NamedTokens marks() {
  return {{"bos_token", "[CLS]"},  {"eos_token", "[SEP]"}, {"unk_token", "<unk>"},
          {"sep_token", "[SEP]"},  {"pad_token", "<pad>"}, {"cls_token", "[CLS]"},
          {"mask_token", "[MASK]"}};
}

NamedTokens without_bos() {
  NamedTokens tokens = fairseq_tokens();
  tokens.erase("bos_token");
  return tokens;
}

NamedTokens changed(NamedTokens tokens, const NamedTokens& others) {
  for (const auto& [member, token] : others) tokens[member] = token;
  return tokens;
}

// Those that read byte pairs.
std::vector<SpmClass> byte_pair_classes() {
  return {{.name = "LlamaTokenizer",
           .file = "tokenizer.model",
           .tokens = {{"unk_token", "<unk>"}, {"bos_token", "<s>"}, {"eos_token", "</s>"}},
           .merges = true,
           .pieces = pieces_as_they_are},
          {.name = "GemmaTokenizer",
           .file = "tokenizer.model",
           .tokens = {{"unk_token", "<unk>"},
                      {"bos_token", "<bos>"},
                      {"eos_token", "<eos>"},
                      {"pad_token", "<pad>"},
                      {"mask_token", "<mask>"}},
           .merges = true,
           .pieces = pieces_as_they_are},
          {.name = "ReformerTokenizer",
           .file = "spiece.model",
           .tokens = {{"unk_token", "<unk>"}, {"eos_token", "</s>"}},
           .merges = true,
           .pieces = pieces_as_they_are},
          {.name = "NllbTokenizer",
           .file = "sentencepiece.bpe.model",
           .tokens = fairseq_tokens(),
           .merges = true,
           .pieces = nllb_pieces,
           .single = {"language", "A", "eos_token"},
           .pair = {"language", "A", "B", "eos_token"},
           .mask_takes_blank = true,
           .mask_normalized = true,
           .language = "eng_Latn"}};
}

// Those of unigrams whose tokens are named as in fairseq.
std::vector<SpmClass> fairseq_classes() {
  return {{.name = "XLMRobertaTokenizer",
           .file = "sentencepiece.bpe.model",
           .tokens = fairseq_tokens(),
           .merges = false,
           .pieces = xlm_roberta_pieces,
           .single = {"bos_token", "A", "eos_token"},
           .pair = {"bos_token", "A", "eos_token", "eos_token", "B", "eos_token"}},
          {.name = "CamembertTokenizer",
           .file = "sentencepiece.bpe.model",
           .tokens = fairseq_tokens(),
           .merges = false,
           .pieces = camembert_pieces,
           .single = {"bos_token", "A", "eos_token"},
           .pair = {"bos_token", "A", "eos_token", "eos_token", "B", "eos_token"},
           .mask_takes_blank = true},
          {.name = "BarthezTokenizer",
           .file = "sentencepiece.bpe.model",
           .tokens = fairseq_tokens(),
           .merges = false,
           .pieces = barthez_pieces,
           .mask_takes_blank = true},
          {.name = "MBartTokenizer",
           .file = "sentencepiece.bpe.model",
           .tokens = fairseq_tokens(),
           .merges = false,
           .pieces = mbart_pieces,
           .single = {"A", "eos_token", "language"},
           .pair = {"A", "B", "eos_token", "language"},
           .extras = mbart_extras,
           .mask_takes_blank = true,
           .language = "en_XX"},
          {.name = "MBart50Tokenizer",
           .file = "sentencepiece.bpe.model",
           .tokens = without_bos(),
           .merges = false,
           .pieces = mbart50_pieces,
           .single = {"language", "A", "eos_token"},
           .pair = {"language", "A", "B", "eos_token"},
           .extras = mbart50_extras,
           .mask_takes_blank = true,
           .language = "en_XX"},
          {.name = "XLNetTokenizer",
           .file = "spiece.model",
           .tokens = changed(fairseq_tokens(), {{"sep_token", "<sep>"}, {"cls_token", "<cls>"}}),
           .merges = false,
           .pieces = pieces_as_they_are,
           .single = {"A", "sep_token", "cls_token:2"},
           .pair = {"A", "sep_token", "B:1", "sep_token:1", "cls_token:2"},
           .mask_takes_blank = true}};
}

// Those of unigrams whose tokens are named as in BERT.
std::vector<SpmClass> marked_classes() {
  return {{.name = "AlbertTokenizer",
           .file = "spiece.model",
           .tokens = marks(),
           .merges = false,
           .pieces = pieces_as_they_are,
           .single = {"cls_token", "A", "sep_token"},
           .pair = {"cls_token", "A", "sep_token", "B:1", "sep_token:1"},
           .asked = true},
          {.name = "RemBertTokenizer",
           .file = "sentencepiece.model",
           .tokens = marks(),
           .merges = false,
           .pieces = pieces_as_they_are},
          {.name = "BigBirdTokenizer",
           .file = "spiece.model",
           .tokens =
               changed(fairseq_tokens(),
                       {{"sep_token", "[SEP]"}, {"cls_token", "[CLS]"}, {"mask_token", "[MASK]"}}),
           .merges = false,
           .pieces = pieces_as_they_are,
           .single = {"cls_token", "A", "sep_token"},
           .pair = {"cls_token", "A", "sep_token", "B:1", "sep_token:1"},
           .mask_takes_blank = true},
          {.name = "DebertaV2Tokenizer",
           .file = "spm.model",
           .tokens = changed(marks(), {{"unk_token", "[UNK]"}, {"pad_token", "[PAD]"}}),
           .merges = false,
           .pieces = pieces_as_they_are,
           .single = {"cls_token", "A", "sep_token"},
           .pair = {"cls_token", "A", "sep_token", "B:1", "sep_token:1"}}};
}

// Those of unigrams with numbered tokens of their own.
std::vector<SpmClass> sentinel_classes() {
  return {{.name = "T5Tokenizer",
           .file = "spiece.model",
           .tokens = {{"unk_token", "<unk>"}, {"eos_token", "</s>"}, {"pad_token", "<pad>"}},
           .merges = false,
           .pieces = t5_pieces,
           .single = {"A", "eos_token"},
           .pair = {"A", "eos_token", "B", "eos_token"},
           .extras = t5_extras},
          {.name = "PegasusTokenizer",
           .file = "spiece.model",
           .tokens = {{"pad_token", "<pad>"},
                      {"eos_token", "</s>"},
                      {"unk_token", "<unk>"},
                      {"mask_token", "<mask_2>"}},
           .merges = false,
           .pieces = pegasus_pieces,
           .single = {"A", "eos_token"},
           .pair = {"A", "B", "eos_token"},
           .extras = pegasus_extras}};
}

const std::vector<SpmClass>& spm_classes() {
  static const std::vector<SpmClass> kClasses = [] {
    std::vector<SpmClass> all;
    for (auto* const group : {byte_pair_classes, fairseq_classes, marked_classes, sentinel_classes})
      for (SpmClass& one : group()) all.push_back(std::move(one));
    return all;
  }();
  return kClasses;
}

}  // namespace

const SpmClass* spm_class(std::string_view name) {
  const auto at = std::ranges::find(spm_classes(), name, &SpmClass::name);
  return at == spm_classes().end() ? nullptr : &*at;
}

}  // namespace lab::files
