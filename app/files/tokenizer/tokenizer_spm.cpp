#include "app/files/tokenizer/tokenizer_spm.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "app/base/bad_input.h"
#include "app/files/io/paths.h"
#include "app/files/tokenizer/spm_classes.h"
#include "app/files/tokenizer/tokenizer_folder.h"
#include "app/tokenizer/unicode/utf8.h"

namespace lab::files {
namespace {

using nlohmann::json;
using PieceIds = std::map<std::string, std::uint64_t>;

// The time to find merges grows with the square of the longest piece.
constexpr std::size_t kLongestPiece = 1024;

// Pairs of pieces that make another, in the order of the pieces that they make. `ids` by text.
json merges_by_id(const SentencePieceModel& model) {
  std::unordered_map<std::string_view, std::size_t> ids;
  for (std::size_t id = 0; id < model.pieces.size(); ++id) ids[model.pieces[id].text] = id;
  json merges = json::array();
  for (std::size_t id = 0; id < model.pieces.size(); ++id) {
    const std::string_view piece = model.pieces[id].text;
    if (ids.at(piece) != id) continue;
    for (std::size_t cut = 1; cut < piece.size(); ++cut)
      if (!tokenizer::continues_character(piece[cut]) && ids.contains(piece.substr(0, cut)) &&
          ids.contains(piece.substr(cut)))
        merges.push_back({piece.substr(0, cut), piece.substr(cut)});
  }
  return merges;
}

// The texts of byte pairs by their ids: the configuration may give some another name.
std::vector<std::string> renamed_texts(const SpmSource& source) {
  std::vector<std::string> texts;
  for (const SentencePiece& piece : source.model.pieces) texts.push_back(piece.text);
  if (source.model.unigram) return texts;
  std::map<std::size_t, std::string> names;
  for (const auto& [id, token] : source.config.at("added_tokens_decoder").items())
    if (std::stoull(id) < texts.size()) names[std::stoull(id)] = content_of(token);
  std::vector<std::string> kept;
  for (std::size_t id = 0; id < texts.size(); ++id)
    if (!names.contains(id)) kept.push_back(texts[id]);
  std::ranges::sort(kept);
  for (const auto& [id, name] : names)
    if (!std::ranges::binary_search(kept, name)) texts[id] = name;
  return texts;
}

json scored_list(const ScoredPieces& pieces) {
  json list = json::array();
  for (const auto& [text, score] : pieces) list.push_back({text, score});
  return list;
}

PieceIds ids_of(const ScoredPieces& pieces) {
  PieceIds ids;
  for (std::size_t id = 0; id < pieces.size(); ++id) ids[pieces[id].first] = id;
  return ids;
}

// A tokenizer on its way.
struct SpmTokenizer {
  json stages;
  PieceIds ids;
  std::uint64_t size = 0;  // of the vocabulary, from which new tokens are counted
};

SpmTokenizer built_by(const SpmClass& spm_class, const SpmSource& source) {
  const ScoredPieces pieces = spm_class.pieces(source);
  SpmTokenizer built{spm_stages(spm_class.name)(source, pieces), ids_of(pieces), pieces.size()};
  json& model = built.stages["model"];
  if (spm_class.merges) {
    model["vocab"] = built.ids;
    model["merges"] = merges_by_id(source.model);
    built.size = built.ids.size();
  } else {
    model["vocab"] = scored_list(pieces);
  }
  return built;
}

// Without a class of its own: as the model itself says.
SpmTokenizer built_by_model(const SpmSource& source) {
  const std::vector<std::string> texts = renamed_texts(source);
  ScoredPieces pieces;
  for (std::size_t id = 0; id < texts.size(); ++id)
    pieces.emplace_back(texts[id], static_cast<double>(source.model.pieces[id].score));
  SpmTokenizer built{own_stages(source, texts), ids_of(pieces), pieces.size()};
  json& model = built.stages["model"];
  if (source.model.unigram) {
    if (source.model.unk_id < 0) throw BadInput("the model has no unknown token");
    model["vocab"] = scored_list(pieces);
  } else {
    model["vocab"] = built.ids;
    model["merges"] = spm_merges_by_score(source.model, texts);
    built.size = built.ids.size();
  }
  return built;
}

// The tokens with names: what the configuration says, else what the class or the model has.
json named_tokens(const SpmSource& source, const SpmClass* spm_class) {
  NamedTokens defaults = spm_class == nullptr ? NamedTokens() : spm_class->tokens;
  const SentencePieceModel& model = source.model;
  if (spm_class == nullptr) {
    if (model.bos_id >= 0) defaults["bos_token"] = model.bos_piece;
    if (model.eos_id >= 0) defaults["eos_token"] = model.eos_piece;
    if (model.unk_id >= 0) defaults["unk_token"] = model.unk_piece;
  }
  json named = json::object();
  for (const char* member : kNamedTokens) {
    const auto own = defaults.find(member);
    json token = source.config.value(member, own == defaults.end() ? json() : json(own->second));
    if (content_of(token).empty()) continue;
    if (token.is_object()) token["special"] = true;
    const bool wraps = spm_class != nullptr && spm_class->mask_takes_blank && token.is_string();
    if (wraps && member == std::string_view("mask_token"))
      token = {{"content", token},
               {"lstrip", true},
               {"normalized", spm_class->mask_normalized},
               {"special", true}};
    named[member] = token;
  }
  return named;
}

void add_tokens(const SpmSource& source, const SpmClass* spm_class, const json& named,
                const ExtraTokens& extra, AddedList& added) {
  std::vector<std::string> names;
  for (const json& token : named) names.push_back(content_of(token));
  added.add_by_id(source.config, names, spm_class == nullptr && source.model.add_dummy_prefix);
  for (const char* member : kNamedTokens)
    if (named.contains(member)) added.add(named[member], true);
  for (const json& token : extra.by_member) added.add(token, true);
  json list = extra.list.value_or(json());
  if (!extra.list) {
    list = spm_class != nullptr && spm_class->extras != nullptr ? spm_class->extras(source)
                                                                : marked_pieces(source.model);
    // Without a class, the pre-tokenizer finds user-defined pieces.
    if (spm_class == nullptr)
      std::erase_if(list.get_ref<json::array_t&>(),
                    [](const json& token) { return token["special"] == json(false); });
  }
  for (const json& token : list) added.add(token, true);
}

// What a class writes around a text.
class SpmEnds {
 public:
  SpmEnds(const SpmSource& source, const SpmClass* spm_class, const json& named,
          const AddedList& added)
      : source_(source), class_(spm_class), named_(named), added_(added) {}

  json post_processor() const {
    const bool asked = class_ == nullptr || class_->single.empty() ||
                       (class_->asked && (source_.config.contains("add_bos_token") ||
                                          source_.config.contains("add_eos_token")));
    if (asked) return template_of(asked_for(0), both());
    if (value_or(source_.config, "legacy_behaviour", false) == json(true) &&
        class_->name == "NllbTokenizer")
      return template_of(parts({"A", "eos_token", "language"}),
                         parts({"A", "B", "eos_token", "language"}));
    return template_of(parts(class_->single), parts(class_->pair));
  }

 private:
  std::string token(const std::string& member) const {
    const auto at = named_.find(member);
    return at == named_.end() ? std::string() : content_of(*at);
  }
  void add(const char* flag, const char* member, int type, std::vector<TemplatePart>& parts) const {
    const std::string content = token(member);
    if (value_or(source_.config, flag, false) == json(true) && !content.empty())
      parts.push_back({content, added_.id_of(content), type, false});
  }
  std::vector<TemplatePart> asked_for(int type) const {
    std::vector<TemplatePart> parts;
    add("add_bos_token", "bos_token", type, parts);
    parts.push_back({type == 0 ? "A" : "B", 0, type, true});
    add("add_eos_token", "eos_token", type, parts);
    return parts;
  }
  std::vector<TemplatePart> both() const {
    std::vector<TemplatePart> parts = asked_for(0);
    for (TemplatePart& part : asked_for(1)) parts.push_back(std::move(part));
    return parts;
  }
  TemplatePart language() const {
    const std::string name = named_in(source_.config, "src_lang", class_->language);
    if (const auto id = added_.find(name)) return {name, *id, 0, false};
    if (class_->name == "MBart50Tokenizer")
      throw BadInput("src_lang: there is no language " + in_quotes(name));
    const std::string unknown = token("unk_token");  // as the reference takes it
    return {class_->name == "NllbTokenizer" ? name : unknown, added_.id_of(unknown), 0, false};
  }
  std::vector<TemplatePart> parts(const std::vector<std::string_view>& spelt) const {
    std::vector<TemplatePart> parts;
    for (std::string_view name : spelt) {
      int type = 0;
      if (const auto colon = name.find(':'); colon != name.npos) {
        type = name[colon + 1] - '0';
        name = name.substr(0, colon);
      }
      if (name == "A" || name == "B") {
        parts.push_back({std::string(name), 0, type, true});
      } else if (name == "language") {
        parts.push_back(language());
      } else {
        const std::string content = token(std::string(name));
        parts.push_back({content, added_.id_of(content), type, false});
      }
    }
    return parts;
  }

  const SpmSource& source_;
  const SpmClass* class_;
  const json& named_;
  const AddedList& added_;
};

void check_pieces(const SentencePieceModel& model) {
  for (std::size_t id = 0; id < model.pieces.size(); ++id)
    if (model.pieces[id].text.size() > kLongestPiece)
      throw BadInput("piece " + std::to_string(id) + " has more than " +
                     std::to_string(kLongestPiece) + " bytes");
}

// A vocabulary of tiktoken, which has the same name: a line of base64 and a rank for each piece.
bool is_tiktoken(std::string_view bytes) {
  const std::size_t end = std::min(bytes.find('\n'), bytes.size());
  const std::size_t blank = bytes.substr(0, end).rfind(' ');
  if (blank == bytes.npos || blank == 0) return false;
  const std::string_view rank = bytes.substr(blank + 1, end - blank - 1);
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_base64 = [&](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' ||
           c == '/' || c == '=';
  };
  return !rank.empty() && std::ranges::all_of(rank, is_digit) &&
         std::ranges::all_of(bytes.substr(0, blank), is_base64);
}

json tokenizer_of(const std::string& folder, const SpmClass* spm_class, const SpmSource& source) {
  check_pieces(source.model);
  const ExtraTokens extra = extra_tokens(folder, source.config);
  SpmTokenizer built = spm_class == nullptr ? built_by_model(source) : built_by(*spm_class, source);
  const json named = named_tokens(source, spm_class);
  AddedList added(built.ids, built.size);
  add_tokens(source, spm_class, named, extra, added);
  json& tokenizer = built.stages;
  tokenizer["added_tokens"] = added.list();
  tokenizer["post_processor"] = SpmEnds(source, spm_class, named, added).post_processor();
  return tokenizer;
}

}  // namespace

json tokenizer_of_spm(const std::string& folder) {
  constexpr const char* kAnyClass = "tokenizer.model";
  const json config = json_part(folder, "tokenizer_config.json");
  const std::string name = class_name_of_folder(config, json_part(folder, "config.json"));
  const SpmClass* const known = spm_class(name);
  const bool own = name == "TokenizersBackend" || name == "PreTrainedTokenizer";
  if ((known == nullptr && !own) || !is_missing(folder + "/tekken.json")) return nullptr;
  const char* file = kAnyClass;
  if (known != nullptr && is_missing(folder + "/" + file)) file = known->file;
  const auto bytes = tokenizer_part(folder, file);
  if (!bytes || is_tiktoken(*bytes)) return nullptr;
  try {
    return tokenizer_of(folder, known,
                        {read_sentencepiece(*bytes), whole_tokenizer_config(folder)});
  } catch (const BadInput& error) {
    throw BadInput(std::string(file) + ": " + error.what());
  }
}

}  // namespace lab::files
