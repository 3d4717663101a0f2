#include "app/files/tokenizer/translation_tokenizer.h"

#include <algorithm>
#include <array>

#include "app/base/bad_input.h"
#include "app/base/byte_text.h"
#include "app/files/io/paths.h"
#include "app/files/tokenizer/spm_stages.h"
#include "app/files/tokenizer/tokenizer_classes.h"
#include "app/files/tokenizer/tokenizer_folder.h"

namespace lab::files {
namespace {

using nlohmann::json;

// M2M-100's languages, whose tokens follow vocab.json.
constexpr std::array kM2mLanguages = {
    "af", "am", "ar", "ast", "az", "ba", "be", "bg", "bn", "br",  "bs", "ca", "ceb", "cs", "cy",
    "da", "de", "el", "en",  "es", "et", "fa", "ff", "fi", "fr",  "fy", "ga", "gd",  "gl", "gu",
    "ha", "he", "hi", "hr",  "ht", "hu", "hy", "id", "ig", "ilo", "is", "it", "ja",  "jv", "ka",
    "kk", "km", "kn", "ko",  "lb", "lg", "ln", "lo", "lt", "lv",  "mg", "mk", "ml",  "mn", "mr",
    "ms", "my", "ne", "nl",  "no", "ns", "oc", "or", "pa", "pl",  "ps", "pt", "ro",  "ru", "sd",
    "si", "sk", "sl", "so",  "sq", "sr", "ss", "su", "sv", "sw",  "ta", "th", "tl",  "tn", "tr",
    "uk", "ur", "uz", "vi",  "wo", "xh", "yi", "yo", "zh", "zu"};
constexpr std::array kWmtLanguages = {"en", "ha", "is", "ja", "cs", "ru", "zh", "de"};

// What cannot be followed exactly is refused.
void check_followed(const SentencePieceModel& model) {
  const auto refuse = [](const std::string& what) {
    throw BadInput(what + ", which is not supported; a tokenizer.json would be read instead");
  };
  if (model.byte_fallback) refuse("it has pieces for bytes (byte_fallback)");
  if (model.blank_at_end) refuse("words end with blanks (treat_whitespace_as_suffix)");
  if (!model.remove_extra_whitespaces) refuse("it keeps all blanks (remove_extra_whitespaces)");
  if (!model.escape_whitespaces) refuse("blanks have no mark (escape_whitespaces)");
  for (const SentencePiece& piece : model.pieces)
    if (piece.type == PieceType::kUserDefined || piece.type == PieceType::kUnused)
      refuse("its piece " + in_quotes(piece.text) + " is user-defined or unused");
}

SentencePieceModel cutting_file(const std::string& folder, const char* file) {
  const auto bytes = tokenizer_part(folder, file);
  try {
    SentencePieceModel model = read_sentencepiece(bytes.value_or(""));
    check_followed(model);
    return model;
  } catch (const BadInput& error) {
    throw BadInput(std::string(file) + ": " + error.what());
  }
}

// How SentencePiece itself writes a text before it cuts it.
json own_normalizer(const SentencePieceModel& model) {
  json list = json::array();
  if (!model.charsmap.empty())
    list.push_back({{"type", "Precompiled"},
                    {"precompiled_charsmap", base64(model.charsmap)},
                    {"longest", true}});
  list.push_back(replaced("\\A +| +\\z", ""));
  list.push_back(replaced(" {2,}", " "));
  list.push_back(replaced_text(" ", "▁"));
  if (model.add_dummy_prefix) list.push_back({{"type", "Prepend"}, {"prepend", "▁"}});
  list.push_back(replaced("▁+\\z", ""));
  return sequence_in("normalizers", std::move(list));
}

// The model that cuts. Pieces that are found in no text have no text here.
json cutting_model(const SentencePieceModel& model) {
  if (!model.unigram) {
    std::vector<std::string> texts;
    json ids = json::object();
    for (const SentencePiece& piece : model.pieces) texts.push_back(piece.text);
    for (std::size_t id = 0; id < texts.size(); ++id)
      if (model.pieces[id].type == PieceType::kNormal) ids[texts[id]] = id;
    ids[model.unk_piece] = texts.size();
    return {{"type", "BPE"},
            {"fuse_unk", true},
            {"unk_token", model.unk_piece},
            {"vocab", std::move(ids)},
            {"merges", spm_merges_by_score(model, texts)}};
  }
  if (model.unk_id < 0) throw BadInput("the model has no unknown token");
  json list = json::array();
  for (const SentencePiece& piece : model.pieces) {
    const bool cuts = piece.type == PieceType::kNormal;
    list.push_back({cuts ? piece.text : "", static_cast<double>(piece.score)});
  }
  return {{"type", "Unigram"},
          {"unk_id", model.unk_id},
          {"byte_fallback", false},
          {"single_precision", true},
          {"vocab", std::move(list)}};
}

// A kind of these tokenizers.
struct TranslationClass {
  std::string_view name;
  std::vector<const char*> files;  // the one that cuts a source text first
  NamedTokens tokens;
};

const TranslationClass* translation_class(std::string_view name) {
  static const std::vector<TranslationClass> kClasses = {
      {"MarianTokenizer",
       {"source.spm", "target.spm", "vocab.json"},
       {{"unk_token", "<unk>"}, {"eos_token", "</s>"}, {"pad_token", "<pad>"}}},
      {"M2M100Tokenizer",
       {"sentencepiece.bpe.model", "vocab.json"},
       {{"bos_token", "<s>"},
        {"eos_token", "</s>"},
        {"unk_token", "<unk>"},
        {"sep_token", "</s>"},
        {"pad_token", "<pad>"}}}};
  const auto at = std::ranges::find(kClasses, name, &TranslationClass::name);
  return at == kClasses.end() ? nullptr : &*at;
}

// The pieces of vocab.json.
std::map<std::string, std::uint64_t> numbered_pieces(const std::string& folder) {
  std::map<std::string, std::uint64_t> ids;
  const json vocabulary = json_part(folder, "vocab.json");
  for (const auto& [piece, id] : vocabulary.items()) {
    if (!id.is_number_unsigned()) throw BadInput("vocab.json: " + in_quotes(piece) + " has no id");
    ids[piece] = id.get<std::uint64_t>();
  }
  return ids;
}

std::string language_token(const std::string& code) { return "__" + code + "__"; }

// The languages' tokens by their ids, which follow `count` pieces. Throws BadInput.
std::map<std::string, std::uint64_t> language_ids(const json& config, std::uint64_t count) {
  const std::string kind = named_in(config, "language_codes", "m2m100");
  const auto ids_of = [&](const auto& languages) {
    std::map<std::string, std::uint64_t> ids;
    for (const char* code : languages) ids[language_token(code)] = count + ids.size();
    return ids;
  };
  if (kind == "m2m100") return ids_of(kM2mLanguages);
  if (kind == "wmt21") return ids_of(kWmtLanguages);
  throw BadInput("language_codes: " + in_quotes(kind) + " should be m2m100 or wmt21");
}

// The tokens with names, then those that the configuration adds.
json special_tokens(const TranslationClass& own, const std::string& folder, const json& config) {
  json tokens = json::array();
  for (const char* member : kNamedTokens) {
    const auto default_token = own.tokens.find(member);
    json token = config.value(
        member, default_token == own.tokens.end() ? json() : json(default_token->second));
    if (token.is_object()) token["special"] = true;
    if (!content_of(token).empty()) tokens.push_back(token);
  }
  const ExtraTokens extra = extra_tokens(folder, config);
  for (const json& token : extra.by_member) tokens.push_back(token);
  const json list =
      extra.list ? *extra.list : value_or(config, "additional_special_tokens", json::array());
  for (const json& token : list) tokens.push_back(token);
  return tokens;
}

// The tokenizer that a file of SentencePiece makes with the other files.
class TranslationTokenizer {
 public:
  TranslationTokenizer(const TranslationClass& own, const std::string& folder)
      : own_(own), folder_(folder), config_(whole_tokenizer_config(folder)) {}

  json made_of(const SentencePieceModel& model) {
    ids_ = numbered_pieces(folder_);
    AddedList added(ids_, ids_.size());
    const json tokens = special_tokens(own_, folder_, config_);
    std::vector<std::string> names;
    for (const json& token : tokens) names.push_back(content_of(token));
    added.add_by_id(config_, names, true);
    for (json token : tokens) {
      if (token.is_object()) token["normalized"] = false;
      added.add(token, true);
    }
    check_ids(added);
    json tokenizer = {{"pre_tokenizer", nullptr}};
    tokenizer["normalizer"] = own_normalizer(model);
    tokenizer["decoder"] = piece_decoders(false, true);
    tokenizer["post_processor"] = is_marian() ? after_text(added) : with_language(added);
    tokenizer["added_tokens"] = added.list();
    const std::string unknown = named_in(config_, "unk_token", "<unk>");
    if (!ids_.contains(unknown))
      throw BadInput("vocab.json: there is no piece " + in_quotes(unknown));
    tokenizer["model"] = {{"type", "Renumbered"}, {"unk_token", unknown}};
    tokenizer["model"]["vocab"] = ids_;
    tokenizer["model"]["model"] = cutting_model(model);
    if (is_marian())
      tokenizer["leading_code"] = {{"begin", ">>"}, {"end", "<<"}, {"unk_token", unknown}};
    return tokenizer;
  }

 private:
  bool is_marian() const { return own_.name == "MarianTokenizer"; }

  // Here tokens have the ids that the configuration gives them, there those of the vocabulary.
  void check_ids(const AddedList& added) const {
    for (const auto& [id, token] : config_.at("added_tokens_decoder").items()) {
      const std::string content = content_of(token);
      if (const auto given = added.find(content); given && *given != std::stoull(id))
        throw BadInput("added_tokens_decoder: " + in_quotes(content) + " has the id " + id +
                       ", and vocab.json makes it " + std::to_string(*given));
    }
  }

  TemplatePart end(const AddedList& added) const {
    const std::string content = named_in(config_, "eos_token", "</s>");
    return {content, added.id_of(content), 0, false};
  }
  json after_text(const AddedList& added) const {
    const TemplatePart a{"A", 0, 0, true}, b{"B", 0, 0, true};
    return template_of({a, end(added)}, {a, b, end(added)});
  }
  json with_language(const AddedList& added) {
    const auto languages = language_ids(config_, ids_.size());
    const std::string code = named_in(config_, "src_lang", "en");
    const auto at = languages.find(language_token(code));
    if (at == languages.end()) throw BadInput("src_lang: there is no language " + in_quotes(code));
    for (const auto& [token, id] : languages)
      if (const auto known = added.find(token); known && *known != id)
        throw BadInput("the language " + in_quotes(token) + " has the id " +
                       std::to_string(*known) + ", and should have " + std::to_string(id));
    for (const json& token : added.list())
      if (const std::string content = content_of(token);
          !ids_.contains(content) && !languages.contains(content))
        throw BadInput("the token " + in_quotes(content) + " is no piece and no language");
    const TemplatePart language{at->first, at->second, 0, false};
    ids_.insert(languages.begin(), languages.end());
    const TemplatePart a{"A", 0, 0, true}, b{"B", 0, 0, true};
    return template_of({language, a, end(added)}, {language, a, b, end(added)});
  }

  const TranslationClass& own_;
  const std::string& folder_;
  json config_;
  std::map<std::string, std::uint64_t> ids_;
};

}  // namespace

json translation_tokenizer(const std::string& folder, bool of_target) {
  const json config = json_part(folder, "tokenizer_config.json");
  const TranslationClass* const own =
      translation_class(class_name_of_folder(config, json_part(folder, "config.json")));
  if (own == nullptr || (of_target && own->files.size() < 3)) return nullptr;
  for (const char* file : own->files)
    if (is_missing(folder + "/" + file)) return nullptr;
  // Two vocabularies: the tokens of both sides would have the same names.
  if (value_or(config, "separate_vocabs", false) == json(true)) return nullptr;
  return TranslationTokenizer(*own, folder)
      .made_of(cutting_file(folder, own->files[of_target ? 1 : 0]));
}

}  // namespace lab::files
