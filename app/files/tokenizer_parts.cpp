#include "app/files/tokenizer_parts.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>

#include "app/base/bad_input.h"
#include "app/base/strict_json.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/files/tokenizer_classes.h"

namespace lab::files {
namespace {

using nlohmann::json;

constexpr std::size_t kLargestPart = std::size_t{1} << 26U;

// The bytes of a file of `folder`; nothing when it is not there. Throws Error.
std::optional<std::string> part(const std::string& folder, const char* name) {
  const std::string path = folder + "/" + name;
  if (is_missing(path)) return std::nullopt;
  auto text = read_bytes(path, kLargestPart);
  if (!text) throw Error(text.error());
  return std::move(*text);
}

// The object in a JSON file of `folder`, empty when it is not there. Throws Error and BadInput.
json json_part(const std::string& folder, const char* name) {
  const auto text = part(folder, name);
  if (!text) return json::object();
  try {
    json object = parse_json(*text);
    if (!object.is_object()) throw BadInput("should be an object");
    return object;
  } catch (const BadInput& error) {
    throw BadInput(std::string(name) + ": " + error.what());
  }
}

// The lines of a text without what ends them.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const bool carriage = end > at && text[end - 1] == '\r';
    lines.push_back(text.substr(at, end - at - (carriage ? 1 : 0)));
    at = end + 1;
  }
  return lines;
}

// vocab.txt: a token in each line, whose number is its id.
json vocabulary_of_lines(const std::string& text) {
  json vocabulary = json::object();
  const std::vector<std::string> lines = lines_of(text);
  for (std::size_t id = 0; id < lines.size(); ++id) vocabulary[lines[id]] = id;
  return vocabulary;
}

// merges.txt: two tokens in each line; a first line may give the version.
json merges_of_lines(const std::string& text) {
  json merges = json::array();
  for (const std::string& line : lines_of(text)) {
    if (line.empty() || line.starts_with("#version")) continue;
    const std::size_t space = line.find(' ');
    if (space == line.npos || line.find(' ', space + 1) != line.npos)
      throw BadInput("merges.txt: " + in_quotes(line) + " is no pair of tokens");
    merges.push_back({line.substr(0, space), line.substr(space + 1)});
  }
  return merges;
}

// Puts the vocabulary into the model of a tokenizer; false when its files are not there.
bool read_vocabulary(const std::string& folder, json& model) {
  if (model["type"] == "WordPiece") {
    const auto lines = part(folder, "vocab.txt");
    if (lines) model["vocab"] = vocabulary_of_lines(*lines);
    return lines.has_value();
  }
  const auto merges = part(folder, "merges.txt");
  if (model["type"] != "BPE" || !merges || is_missing(folder + "/vocab.json")) return false;
  model["vocab"] = json_part(folder, "vocab.json");
  model["merges"] = merges_of_lines(*merges);
  return true;
}

// tokenizer_config.json with what the files of older versions add to it.
json whole_config(const std::string& folder) {
  json config = json_part(folder, "tokenizer_config.json");
  if (config.contains("added_tokens_decoder")) return config;
  config.update(json_part(folder, "special_tokens_map.json"));
  std::vector<std::string> special;
  for (const char* name : kNamedTokens)
    if (config.contains(name)) special.push_back(content_of(config[name]));
  json added = json::object();
  const json ids = json_part(folder, "added_tokens.json");
  for (const auto& [content, id] : ids.items()) {
    if (!id.is_number_unsigned())
      throw BadInput("added_tokens.json: " + in_quotes(content) + " has no id");
    const bool is_special = std::ranges::find(special, content) != special.end();
    added[id.dump()] = {{"content", content}, {"normalized", !is_special}, {"special", is_special}};
  }
  config["added_tokens_decoder"] = added;
  return config;
}

// Adds tokens with their flags to those of a tokenizer.json.
class AddedList {
 public:
  explicit AddedList(const json& vocabulary) : vocabulary_(vocabulary) {
    for (const json& id : vocabulary)
      if (id.is_number_unsigned()) next_ = std::max(next_, id.get<std::uint64_t>() + 1);
  }

  // `token` is a text, or an object with flags; special where it does not say.
  void add(const json& token, bool special) {
    const std::string content = content_of(token);
    if (content.empty() || ids_.contains(content)) return;
    const auto known = vocabulary_.find(content);
    const std::uint64_t id = known == vocabulary_.end() ? next_++ : known->get<std::uint64_t>();
    ids_[content] = id;
    const auto flag = [&](const char* name, bool otherwise) {
      return token.is_object() ? value_or(token, name, otherwise) : json(otherwise);
    };
    list_.push_back({{"id", id},
                     {"content", content},
                     {"single_word", flag("single_word", false)},
                     {"lstrip", flag("lstrip", false)},
                     {"rstrip", flag("rstrip", false)},
                     {"normalized", flag("normalized", !special)},
                     {"special", flag("special", special)}});
  }

  const json& list() const { return list_; }
  std::uint64_t id_of(const std::string& content) const {
    if (const auto added = ids_.find(content); added != ids_.end()) return added->second;
    const auto known = vocabulary_.find(content);
    if (known == vocabulary_.end()) throw BadInput("there is no token " + in_quotes(content));
    return known->get<std::uint64_t>();
  }

 private:
  const json& vocabulary_;
  json list_ = json::array();
  std::map<std::string, std::uint64_t> ids_;
  std::uint64_t next_ = 0;
};

// The token that a member of the configuration names, or that the class has there; null for none.
json named_token(const json& config, const RebuildingClass& rebuilding, const std::string& member) {
  const auto usual = rebuilding.tokens.find(member);
  return value_or(config, member.c_str(),
                  usual == rebuilding.tokens.end() ? json() : json(usual->second));
}

void add_all(const json& config, const RebuildingClass& rebuilding, AddedList& added) {
  std::map<std::uint64_t, json> by_id;
  for (const auto& [id, token] : config["added_tokens_decoder"].items())
    by_id[std::stoull(id)] = token;
  for (const auto& [id, token] : by_id) added.add(token, false);
  for (const char* name : kNamedTokens) added.add(named_token(config, rebuilding, name), true);
  for (const char* name : {"extra_special_tokens", "additional_special_tokens"})
    for (const json& token : value_or(config, name, json::array())) added.add(token, true);
}

// What stands around a text.
struct Ends {
  std::string before, after;  // empty: nothing
};

Ends ends_of(const json& config, const RebuildingClass& rebuilding) {
  const auto token = [&](const std::string& member) {
    return content_of(named_token(config, rebuilding, member));
  };
  if (rebuilding.around && rebuilding.around->size() == 2)
    return {token(rebuilding.around->front()), token(rebuilding.around->back())};
  const auto asks = [&](const char* flag) { return value_or(config, flag, false) == json(true); };
  return {asks("add_bos_token") ? token("bos_token") : "",
          asks("add_eos_token") ? token("eos_token") : ""};
}

json post_processor_of(const Ends& ends, bool bytes, const AddedList& added) {
  const auto pair_of = [&](const std::string& content) {
    return json::array({content, added.id_of(content)});
  };
  if (bytes && !ends.before.empty() && !ends.after.empty())
    return {{"type", "RobertaProcessing"},
            {"sep", pair_of(ends.after)},
            {"cls", pair_of(ends.before)},
            {"trim_offsets", true},
            {"add_prefix_space", false}};
  json single = json::array(), special = json::object();
  const auto add = [&](const std::string& content, int type, json& list) {
    if (content.empty()) return;
    list.push_back({{"SpecialToken", {{"id", content}, {"type_id", type}}}});
    special[content] = {{"id", content}, {"ids", {added.id_of(content)}}, {"tokens", {content}}};
  };
  add(ends.before, 0, single);
  single.push_back({{"Sequence", {{"id", "A"}, {"type_id", 0}}}});
  add(ends.after, 0, single);
  json pair = single;
  pair.push_back({{"Sequence", {{"id", "B"}, {"type_id", 1}}}});
  add(ends.after, 1, pair);
  return {{"type", "TemplateProcessing"},
          {"single", single},
          {"pair", pair},
          {"special_tokens", special}};
}

json decoder_of(const json& model) {
  if (model["type"] == "WordPiece")
    return {{"type", "WordPiece"}, {"prefix", "##"}, {"cleanup", true}};
  return {{"type", "ByteLevel"},
          {"add_prefix_space", true},
          {"trim_offsets", true},
          {"use_regex", true}};
}

json tokenizer_of(const std::string& folder) {
  const json config = whole_config(folder);
  const RebuildingClass* const rebuilding =
      class_of_folder(config, json_part(folder, "config.json"), false);
  if (rebuilding == nullptr || rebuilding->stages == nullptr) return nullptr;
  json tokenizer = rebuilding->stages(config);
  json& model = tokenizer["model"];
  if (!read_vocabulary(folder, model)) return nullptr;
  AddedList added(model["vocab"]);
  add_all(config, *rebuilding, added);
  tokenizer["added_tokens"] = added.list();
  tokenizer["post_processor"] =
      post_processor_of(ends_of(config, *rebuilding), model["type"] == "BPE", added);
  tokenizer["decoder"] = decoder_of(model);
  return tokenizer;
}

}  // namespace

Expected<json> tokenizer_of_parts(const std::string& folder) {
  try {
    return guarded([&] {
      try {
        return tokenizer_of(folder);
      } catch (const json::exception&) {
        throw BadInput("a member has another type than transformers writes");
      } catch (const std::logic_error&) {
        throw BadInput("added_tokens_decoder: the names of its members should be ids");
      }
    });
  } catch (const Error& error) {
    return tl::make_unexpected(error);
  }
}

}  // namespace lab::files
