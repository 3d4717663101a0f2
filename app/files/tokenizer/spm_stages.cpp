#include "app/files/tokenizer/spm_stages.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "app/base/bad_input.h"
#include "app/base/byte_text.h"
#include "app/files/tokenizer/tokenizer_classes.h"
#include "app/tokenizer/unicode/utf8.h"

namespace lab::files {

using nlohmann::json;

json replaced(const char* regex, const char* with) {
  return {{"type", "Replace"}, {"pattern", {{"Regex", regex}}}, {"content", with}};
}

json replaced_text(const char* text, const char* with) {
  return {{"type", "Replace"}, {"pattern", {{"String", text}}}, {"content", with}};
}

json sequence_in(const char* member, json list) {
  json sequence = {{"type", "Sequence"}};
  sequence[member] = std::move(list);
  return sequence;
}

json charsmap_of(const SentencePieceModel& model) {
  if (model.charsmap.empty()) return nullptr;
  return {{"type", "Precompiled"}, {"precompiled_charsmap", base64(model.charsmap)}};
}

json piece_decoders(bool bytes, bool strips) {
  json decoders = json::array({replaced_text("▁", " ")});
  if (bytes) decoders.push_back({{"type", "ByteFallback"}});
  if (bytes || strips) decoders.push_back({{"type", "Fuse"}});
  if (strips) decoders.push_back({{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}});
  return sequence_in("decoders", std::move(decoders));
}

std::string named_in(const json& config, const char* member, const char* otherwise) {
  return content_of(value_or(config, member, otherwise));
}

json stages_json(json normalizer, json pre_tokenizer, json decoder, json model) {
  json stages = {{"normalizer", std::move(normalizer)}};
  stages["pre_tokenizer"] = std::move(pre_tokenizer);
  stages["decoder"] = std::move(decoder);
  stages["model"] = std::move(model);
  return stages;
}

json spm_merges_by_score(const SentencePieceModel& model, const std::vector<std::string>& texts) {
  std::unordered_map<std::string_view, std::size_t> ids;
  for (std::size_t id = 0; id < texts.size(); ++id)
    if (model.pieces[id].type == PieceType::kNormal) ids[texts[id]] = id;
  std::vector<std::tuple<float, std::size_t, std::string_view, std::string_view>> ranked;
  for (const auto& [piece, id] : ids)
    for (std::size_t cut = 1; cut < piece.size(); ++cut)
      if (!tokenizer::continues_character(piece[cut]) && ids.contains(piece.substr(0, cut)) &&
          ids.contains(piece.substr(cut)))
        ranked.emplace_back(-model.pieces[id].score, id, piece.substr(0, cut), piece.substr(cut));
  std::ranges::sort(ranked);
  json merges = json::array();
  for (const auto& [score, id, left, right] : ranked) merges.push_back({left, right});
  return merges;
}

namespace {

json metaspace(const char* prepend_scheme, bool split = true) {
  return {{"type", "Metaspace"},
          {"replacement", "▁"},
          {"prepend_scheme", prepend_scheme},
          {"split", split}};
}

// True when the flag is set, or missing and `otherwise` is true.
bool is_set(const json& config, const char* flag, bool otherwise) {
  const auto at = config.find(flag);
  return at == config.end() ? otherwise : *at == json(true);
}

json normalizers_of(json list) {
  std::erase(list.get_ref<json::array_t&>(), json());
  return list.empty() ? json() : sequence_in("normalizers", std::move(list));
}

json unigram_model(std::int64_t unk_id) {
  json model = {{"type", "Unigram"}, {"byte_fallback", false}};
  model["unk_id"] = unk_id;
  return model;
}

json byte_pair_model(const SpmSource& source) {
  return {{"type", "BPE"},
          {"fuse_unk", true},
          {"byte_fallback", false},
          {"unk_token", named_in(source.config, "unk_token", "<unk>")}};
}

const char* prefix_of(const SpmSource& source, const char* otherwise = "never") {
  return value_or(source.config, "add_prefix_space", true) == json(false) ? otherwise : "always";
}

json words_and_marks(const char* scheme) {
  return sequence_in("pretokenizers", {{{"type", "WhitespaceSplit"}}, metaspace(scheme)});
}

// The place of the first piece from `first` on with this text and the score 0.
std::optional<std::int64_t> place_of(const ScoredPieces& pieces, const std::string& text,
                                     std::size_t first = 0) {
  for (std::size_t id = first; id < pieces.size(); ++id)
    if (pieces[id].first == text && pieces[id].second == 0) return static_cast<std::int64_t>(id);
  return std::nullopt;
}

// The stages that the class has for every vocabulary.
json known_stages(const char* name, const SpmSource& source) {
  json stages = class_of_name(name)->stages(source.config);
  stages["model"].erase("vocab");
  return stages;
}

json llama_spm_stages(const SpmSource& source, const ScoredPieces&) {
  json stages = known_stages("LlamaTokenizer", source);
  stages["decoder"] = piece_decoders(true, std::string_view(prefix_of(source)) == "always");
  return stages;
}

json gemma_spm_stages(const SpmSource& source, const ScoredPieces&) {
  json stages = known_stages("GemmaTokenizer", source);
  stages["decoder"] = piece_decoders(true, false);
  return stages;
}

json t5_spm_stages(const SpmSource& source, const ScoredPieces&) {
  json stages = known_stages("T5Tokenizer", source);
  stages["normalizer"] = charsmap_of(source.model);
  stages["decoder"] = metaspace("always");
  return stages;
}

json xlm_roberta_spm_stages(const SpmSource& source, const ScoredPieces&) {
  json stages = known_stages("XLMRobertaTokenizer", source);
  stages["normalizer"] = charsmap_of(source.model);
  stages["decoder"] = metaspace(prefix_of(source));
  return stages;
}

json camembert_spm_stages(const SpmSource& source, const ScoredPieces& pieces) {
  const std::string unknown = named_in(source.config, "unk_token", "<unk>");
  const auto at = std::ranges::find(pieces, unknown, &ScoredPieces::value_type::first);
  return stages_json(charsmap_of(source.model), words_and_marks(prefix_of(source)),
                     metaspace(prefix_of(source)),
                     unigram_model(at == pieces.end() ? 0 : at - pieces.begin()));
}

json mbart_spm_stages(const SpmSource&, const ScoredPieces&) {
  return stages_json(nullptr, words_and_marks("always"), metaspace("always"), unigram_model(3));
}

json mbart50_spm_stages(const SpmSource& source, const ScoredPieces&) {
  return stages_json(normalizers_of({charsmap_of(source.model), replaced(" {2,}", " ")}),
                     metaspace("always"), metaspace("always"), unigram_model(3));
}

json pegasus_spm_stages(const SpmSource& source, const ScoredPieces& pieces) {
  const std::string unknown = named_in(source.config, "unk_token", "<unk>");
  const auto unk_id = place_of(pieces, unknown, 1);
  if (!unk_id) throw BadInput("there is no piece " + in_quotes(unknown) + " with the score 0");
  const json first =
      source.model.charsmap.empty() ? replaced("\\n", " ") : charsmap_of(source.model);
  return stages_json(normalizers_of({first, replaced(" {2,}", " ")}), metaspace("always"),
                     metaspace("always"), unigram_model(*unk_id));
}

// ALBERT's and its relatives' ways to write text; `cased` and `accents` as the class has them.
json albert_normalizers(const SpmSource& source, bool lowers, bool keeps_accents, bool blanks) {
  const auto asked = [&](const char* member, bool otherwise) {
    return value_or(source.config, member, otherwise) == json(true);
  };
  json list = json::array({replaced_text("``", "\""), replaced_text("''", "\"")});
  if (blanks) list.push_back(replaced(" {2,}", " "));
  if (!keeps_accents) {
    list.push_back({{"type", "NFKD"}});
    list.push_back({{"type", "StripAccents"}});
  }
  if (asked("do_lower_case", lowers)) list.push_back({{"type", "Lowercase"}});
  list.push_back(charsmap_of(source.model));
  return normalizers_of(std::move(list));
}

bool keeps_accents(const SpmSource& source, bool otherwise) {
  return value_or(source.config, "keep_accents", otherwise) == json(true);
}

json albert_spm_stages(const SpmSource& source, const ScoredPieces&) {
  return stages_json(albert_normalizers(source, true, keeps_accents(source, false), false),
                     words_and_marks(prefix_of(source)), metaspace(prefix_of(source)),
                     unigram_model(1));
}

json rembert_spm_stages(const SpmSource& source, const ScoredPieces&) {
  return stages_json(albert_normalizers(source, false, keeps_accents(source, true), true),
                     metaspace(prefix_of(source)), metaspace(prefix_of(source)), unigram_model(2));
}

json xlnet_spm_stages(const SpmSource& source, const ScoredPieces&) {
  return stages_json(albert_normalizers(source, false, false, false), words_and_marks("always"),
                     metaspace("always"), unigram_model(source.model.unk_id));
}

json big_bird_spm_stages(const SpmSource& source, const ScoredPieces& pieces) {
  const auto unk_id = place_of(pieces, named_in(source.config, "unk_token", "<unk>"));
  constexpr std::int64_t kUsual = 100;
  return stages_json(normalizers_of({replaced(" {2,}", "▁")}), metaspace(prefix_of(source)),
                     metaspace(prefix_of(source)), unigram_model(unk_id.value_or(kUsual)));
}

json one_blank() {
  return json::array({replaced("\\s{2,}|[\\n\\r\\t]", " "),
                      {{"type", "NFC"}},
                      {{"type", "Strip"}, {"strip_left", false}, {"strip_right", true}}});
}

json barthez_spm_stages(const SpmSource& source, const ScoredPieces&) {
  return stages_json(normalizers_of(one_blank()), metaspace(prefix_of(source)),
                     metaspace(prefix_of(source)), unigram_model(3));
}

json deberta_spm_stages(const SpmSource& source, const ScoredPieces& pieces) {
  const auto asked = [&](const char* member) {
    return value_or(source.config, member, false) == json(true);
  };
  json normalizers = one_blank();
  if (asked("do_lower_case")) normalizers.insert(normalizers.begin(), json{{"type", "Lowercase"}});
  json pre_tokenizers = json::array();
  if (asked("split_by_punct"))
    pre_tokenizers.push_back({{"type", "Punctuation"}, {"behavior", "Isolated"}});
  pre_tokenizers.push_back(metaspace(prefix_of(source, "first")));
  const auto unk_id = place_of(pieces, named_in(source.config, "unk_token", "[UNK]"));
  return stages_json(normalizers_of(std::move(normalizers)),
                     sequence_in("pretokenizers", std::move(pre_tokenizers)),
                     metaspace(prefix_of(source, "first")),
                     unigram_model(unk_id.value_or(source.model.unk_id)));
}

// A class that reads byte pairs after the model's table of replacements.
json byte_pair_stages(const SpmSource& source, const ScoredPieces&) {
  const json table = charsmap_of(source.model);
  return stages_json(table.is_null() ? json() : normalizers_of({table, replaced(" {2,}", " ")}),
                     metaspace("always"), metaspace("always"), byte_pair_model(source));
}

// Stages and, for the classes of unigrams that have it, the id of the unknown token.
struct NamedStages {
  std::string_view name;
  SpmStages stages;
};
constexpr NamedStages kSpmStages[] = {{"LlamaTokenizer", llama_spm_stages},
                                      {"GemmaTokenizer", gemma_spm_stages},
                                      {"ReformerTokenizer", byte_pair_stages},
                                      {"NllbTokenizer", byte_pair_stages},
                                      {"T5Tokenizer", t5_spm_stages},
                                      {"XLMRobertaTokenizer", xlm_roberta_spm_stages},
                                      {"CamembertTokenizer", camembert_spm_stages},
                                      {"BarthezTokenizer", barthez_spm_stages},
                                      {"MBartTokenizer", mbart_spm_stages},
                                      {"MBart50Tokenizer", mbart50_spm_stages},
                                      {"PegasusTokenizer", pegasus_spm_stages},
                                      {"AlbertTokenizer", albert_spm_stages},

                                      {"RemBertTokenizer", rembert_spm_stages},
                                      {"XLNetTokenizer", xlnet_spm_stages},
                                      {"BigBirdTokenizer", big_bird_spm_stages},
                                      {"DebertaV2Tokenizer", deberta_spm_stages}};

// A regular expression that matches `text`.
std::string escaped(const std::string& text) {
  std::string pattern;
  for (const char c : text) {
    if (std::string_view("()[]{}?*+-|^$\\.&~# \t\n\r\v\f").find(c) != std::string_view::npos)
      pattern += '\\';
    pattern += c;
  }
  return pattern;
}

// Cuts the user-defined pieces out, longer ones first; null when there are none.
json own_pieces_alone(const SpmSource& source, const std::vector<std::string>& texts) {
  std::vector<std::string> pieces;
  for (std::size_t id = 0; id < texts.size(); ++id)
    if (source.model.pieces[id].type == PieceType::kUserDefined) pieces.push_back(texts[id]);
  if (pieces.empty()) return nullptr;
  std::ranges::stable_sort(pieces, std::ranges::greater(), tokenizer::character_count);
  std::string pattern;
  for (const std::string& piece : pieces) pattern += (pattern.empty() ? "" : "|") + escaped(piece);
  return {{"type", "Split"},
          {"pattern", {{"Regex", pattern}}},
          {"behavior", "Isolated"},
          {"invert", false}};
}

}  // namespace

SpmStages spm_stages(std::string_view name) {
  const auto* const at = std::ranges::find(kSpmStages, name, &NamedStages::name);
  return at == std::end(kSpmStages) ? nullptr : at->stages;
}

json own_stages(const SpmSource& source, const std::vector<std::string>& texts) {
  const SentencePieceModel& model = source.model;
  const bool legacy = is_set(source.config, "legacy", true);
  json normalizers = json::array({charsmap_of(model)});
  if (model.remove_extra_whitespaces) {
    normalizers.push_back(replaced("\\A +| +\\z", ""));
    normalizers.push_back(replaced(" {2,}", " "));
  }
  if (model.escape_whitespaces) normalizers.push_back(replaced_text(" ", "▁"));
  if (model.add_dummy_prefix && legacy) normalizers.push_back(replaced("\\A▁", "▁▁"));
  const json alone = own_pieces_alone(source, texts);
  json pre_tokenizers = json::array();
  if (model.add_dummy_prefix)
    pre_tokenizers.push_back(metaspace(legacy ? "always" : "first", false));
  if (!alone.is_null()) pre_tokenizers.push_back(alone);
  json own = {{"type", model.unigram ? "Unigram" : "BPE"}, {"byte_fallback", model.byte_fallback}};
  if (model.unigram) {
    own["unk_id"] = model.unk_id;
  } else {
    own["unk_token"] = model.unk_piece;
    own["fuse_unk"] = true;
    own["ignore_merges"] = !alone.is_null();
  }
  return stages_json(
      normalizers_of(std::move(normalizers)),
      pre_tokenizers.empty() ? json() : sequence_in("pretokenizers", std::move(pre_tokenizers)),
      piece_decoders(model.byte_fallback, model.add_dummy_prefix), std::move(own));
}

}  // namespace lab::files
