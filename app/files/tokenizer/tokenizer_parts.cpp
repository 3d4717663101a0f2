#include "app/files/tokenizer/tokenizer_parts.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>

#include "app/base/bad_input.h"
#include "app/files/io/paths.h"
#include "app/files/tokenizer/tokenizer_classes.h"
#include "app/files/tokenizer/tokenizer_folder.h"
#include "app/files/tokenizer/tokenizer_spm.h"
#include "app/files/tokenizer/translation_tokenizer.h"

namespace lab::files {
namespace {

using nlohmann::json;

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
    const auto lines = tokenizer_part(folder, "vocab.txt");
    if (lines) model["vocab"] = vocabulary_of_lines(*lines);
    return lines.has_value();
  }
  const auto merges = tokenizer_part(folder, "merges.txt");
  if (model["type"] != "BPE" || !merges || is_missing(folder + "/vocab.json")) return false;
  model["vocab"] = json_part(folder, "vocab.json");
  model["merges"] = merges_of_lines(*merges);
  return true;
}

// The token that a member of the configuration names, or that the class has there; null for none.
json named_token(const json& config, const RebuildingClass& rebuilding, const std::string& member) {
  const auto default_token = rebuilding.tokens.find(member);
  return value_or(config, member.c_str(),
                  default_token == rebuilding.tokens.end() ? json() : json(default_token->second));
}

void add_all(const json& config, const RebuildingClass& rebuilding, AddedList& added) {
  added.add_by_id(config);
  for (const char* name : kNamedTokens) added.add(named_token(config, rebuilding, name), true);
  for (const char* name : {"extra_special_tokens", "additional_special_tokens"})
    for (const json& token : value_or(config, name, json::array())) added.add(token, true);
}

// What stands around a text.
struct Ends {
  std::string before, after;  // empty: nothing
  bool asked = false;         // by flags, which ask for them around a second text too
};

Ends ends_of(const json& config, const RebuildingClass& rebuilding) {
  const auto token = [&](const std::string& member) {
    return content_of(named_token(config, rebuilding, member));
  };
  if (rebuilding.around && rebuilding.around->size() == 2)
    return {token(rebuilding.around->front()), token(rebuilding.around->back()), false};
  const auto asks = [&](const char* flag) { return value_or(config, flag, false) == json(true); };
  return {asks("add_bos_token") ? token("bos_token") : "",
          asks("add_eos_token") ? token("eos_token") : "", true};
}

json post_processor_of(const Ends& ends, bool of_roberta, const AddedList& added,
                       bool between = false) {
  const auto pair_of = [&](const std::string& content) {
    return json::array({content, added.id_of(content)});
  };
  if (of_roberta && !ends.asked && !ends.before.empty() && !ends.after.empty())
    return {{"type", "RobertaProcessing"},
            {"sep", pair_of(ends.after)},
            {"cls", pair_of(ends.before)},
            {"trim_offsets", true},
            {"add_prefix_space", false}};
  std::vector<TemplatePart> single;
  const auto add = [&](const std::string& content, int type, std::vector<TemplatePart>& list) {
    if (!content.empty()) list.push_back({content, added.id_of(content), type, false});
  };
  add(ends.before, 0, single);
  single.push_back({"A", 0, 0, true});
  add(ends.after, 0, single);
  std::vector<TemplatePart> pair = single;
  if (ends.asked) add(ends.before, 1, pair);
  const int type = between ? 0 : 1;  // of the second text
  if (between) add(ends.after, type, pair);
  pair.push_back({"B", 0, type, true});
  add(ends.after, type, pair);
  return template_of(single, pair);
}

json decoder_of(const json& model) {
  if (model["type"] == "WordPiece")
    return {{"type", "WordPiece"}, {"prefix", "##"}, {"cleanup", true}};
  return {{"type", "ByteLevel"},
          {"add_prefix_space", true},
          {"trim_offsets", true},
          {"use_regex", true}};
}

json tokenizer_of_texts(const std::string& folder) {
  const json config = whole_tokenizer_config(folder);
  const RebuildingClass* const rebuilding =
      class_of_folder(config, json_part(folder, "config.json"), false);
  if (rebuilding == nullptr || rebuilding->stages == nullptr) return nullptr;
  json tokenizer = rebuilding->stages(config);
  json& model = tokenizer["model"];
  if (!read_vocabulary(folder, model)) return nullptr;
  std::map<std::string, std::uint64_t> ids;
  std::uint64_t next = 0;
  for (const auto& [piece, id] : model["vocab"].items()) {
    if (!id.is_number_unsigned()) continue;  // the tokenizer's reader refuses it
    ids[piece] = id.get<std::uint64_t>();
    next = std::max(next, ids[piece] + 1);
  }
  AddedList added(ids, next);
  add_all(config, *rebuilding, added);
  tokenizer["added_tokens"] = added.list();
  tokenizer["post_processor"] = post_processor_of(
      ends_of(config, *rebuilding), model["type"] == "BPE" && !rebuilding->by_template, added,
      rebuilding->by_template);
  tokenizer["decoder"] = decoder_of(model);
  return tokenizer;
}

}  // namespace

Expected<json> tokenizer_of_parts(const std::string& folder, bool of_target) {
  try {
    return guarded([&] {
      try {
        json tokenizer = translation_tokenizer(folder, of_target);
        if (tokenizer.is_null() && !of_target) tokenizer = tokenizer_of_spm(folder);
        return tokenizer.is_null() && !of_target ? tokenizer_of_texts(folder) : tokenizer;
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
