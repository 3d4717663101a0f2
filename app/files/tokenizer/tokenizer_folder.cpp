#include "app/files/tokenizer/tokenizer_folder.h"

#include <algorithm>

#include "app/base/bad_input.h"
#include "app/base/strict_json.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/files/tokenizer/tokenizer_classes.h"

namespace lab::files {

using nlohmann::json;

std::optional<std::string> tokenizer_part(const std::string& folder, const char* name) {
  constexpr std::size_t kLargestPart = std::size_t{1} << 26U;
  const std::string path = folder + "/" + name;
  if (is_missing(path)) return std::nullopt;
  auto text = read_bytes(path, kLargestPart);
  if (!text) throw Error(text.error());
  return std::move(*text);
}

json json_part(const std::string& folder, const char* name) {
  const auto text = tokenizer_part(folder, name);
  if (!text) return json::object();
  try {
    json object = parse_json(*text);
    if (!object.is_object()) throw BadInput("should be an object");
    return object;
  } catch (const BadInput& error) {
    throw BadInput(std::string(name) + ": " + error.what());
  }
}

json whole_tokenizer_config(const std::string& folder) {
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

namespace {

bool says_something(const json& value) { return !value.is_null() && !value.empty(); }

}  // namespace

ExtraTokens extra_tokens(const std::string& folder, const json& whole) {
  const json config = json_part(folder, "tokenizer_config.json");
  ExtraTokens extra;
  json list = config.value("extra_special_tokens", json());
  bool is_set = config.contains("extra_special_tokens");
  if (const auto older = config.find("additional_special_tokens");
      older != config.end() && !says_something(list)) {
    list = *older;
    is_set = true;
  }
  if (!config.contains("added_tokens_decoder")) {
    const json map = json_part(folder, "special_tokens_map.json");
    if (const auto more = map.find("extra_special_tokens"); more != map.end()) {
      if (!list.is_array() || !more->is_array())
        list = *more;
      else
        list.insert(list.end(), more->begin(), more->end());
      is_set = true;
    }
  }
  for (const auto& [member, token] : whole.items()) {
    const bool named = std::ranges::find(kNamedTokens, member) != std::end(kNamedTokens);
    if (member.ends_with("_token") && !named && !content_of(token).empty())
      extra.by_member[member] = token;
  }
  if (list.is_object())
    extra.by_member.update(list);
  else if (is_set)
    extra.list = list.is_null() ? json::array() : list;
  return extra;
}

void AddedList::add(const json& token, bool special) {
  const std::string content = content_of(token);
  if (content.empty() || ids_.contains(content)) return;
  const auto known = vocabulary_.find(content);
  const std::uint64_t id = known == vocabulary_.end() ? next_++ : known->second;
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

void AddedList::add_by_id(const json& config, const std::vector<std::string>& named, bool raw) {
  std::map<std::uint64_t, json> by_id;
  for (const auto& [id, token] : config.at("added_tokens_decoder").items())
    by_id[std::stoull(id)] = token;
  for (auto& [id, token] : by_id) {
    if (token.is_object() && std::ranges::find(named, content_of(token)) != named.end())
      token["special"] = true;
    if (token.is_object() && raw) token["normalized"] = false;
    add(token, token.is_object() && value_or(token, "special", false) == json(true));
  }
}

std::optional<std::uint64_t> AddedList::find(const std::string& content) const {
  if (const auto added = ids_.find(content); added != ids_.end()) return added->second;
  const auto known = vocabulary_.find(content);
  return known == vocabulary_.end() ? std::nullopt : std::optional(known->second);
}

std::uint64_t AddedList::id_of(const std::string& content) const {
  const auto id = find(content);
  if (!id) throw BadInput("there is no token " + in_quotes(content));
  return *id;
}

json template_of(const std::vector<TemplatePart>& single, const std::vector<TemplatePart>& pair) {
  json special = json::object();
  const auto list_of = [&](const std::vector<TemplatePart>& parts) {
    json list = json::array();
    for (const TemplatePart& part : parts) {
      list.push_back({{part.is_text ? "Sequence" : "SpecialToken",
                       {{"id", part.token}, {"type_id", part.type}}}});
      if (!part.is_text)
        special[part.token] = {{"id", part.token}, {"ids", {part.id}}, {"tokens", {part.token}}};
    }
    return list;
  };
  json template_json = {{"type", "TemplateProcessing"}};
  template_json["single"] = list_of(single);
  template_json["pair"] = list_of(pair);
  template_json["special_tokens"] = special;
  return template_json;
}

}  // namespace lab::files
