#include "app/files/tokenizer/chat_template_file.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "app/base/bad_input.h"
#include "app/files/io/bytes.h"
#include "app/files/io/mapped_file.h"
#include "app/files/io/paths.h"
#include "app/files/model/gguf/gguf_model.h"
#include "app/files/tensors/gguf_header.h"
#include "app/files/tokenizer/tokenizer_classes.h"
#include "app/files/tokenizer/tokenizer_folder.h"

namespace lab::files {
namespace {

using nlohmann::json;
using SpecialTokens = std::vector<std::pair<std::string, std::string>>;

// What the files of a model say: the text of its template, if there is one, and its variables.
struct TemplateSource {
  std::optional<std::string> text;
  SpecialTokens tokens;
};

// The template that is taken of several, each with its name.
std::optional<std::string> default_of(const SpecialTokens& named) {
  if (named.empty()) return std::nullopt;
  std::string names;
  for (const auto& [name, text] : named) {
    if (name == "default") return text;
    names += (names.empty() ? "" : ", ") + in_quotes(name);
  }
  throw BadInput("there are several chat templates and none is called \"default\": " + names);
}

// The template in the member of a configuration: a text, or a list of named ones.
std::optional<std::string> template_in(const json& config) {
  const json member = value_or(config, "chat_template", json());
  if (member.is_null()) return std::nullopt;
  if (member.is_string()) return member.get<std::string>();
  SpecialTokens named;
  const auto is_text = [](const json& one, const char* key) {
    return one.is_object() && one.contains(key) && one[key].is_string();
  };
  for (const json& one : member.is_array() ? member : json::array({nullptr})) {
    if (!is_text(one, "name") || !is_text(one, "template"))
      throw BadInput(
          "tokenizer_config.json: chat_template: should be a text, or a list of objects "
          "with name and template");
    named.emplace_back(one["name"].get<std::string>(), one["template"].get<std::string>());
  }
  return default_of(named);
}

// The special tokens of a folder: those of its class, unless its files name others.
SpecialTokens tokens_in(const std::string& folder, const json& config,
                        const tokenizer::Tokenizer& opened) {
  const bool bytes = std::ranges::any_of(opened.pipeline().pre_tokenizers, [](const auto& node) {
    return std::holds_alternative<tokenizer::ByteLevelPreTokenizer>(node);
  });
  const RebuildingClass* const known =
      class_of_folder(config, json_part(folder, "config.json"), bytes);
  NamedTokens named = known == nullptr ? NamedTokens() : known->tokens;
  for (const json& said : {json_part(folder, "special_tokens_map.json"), config})
    for (const char* key : kNamedTokens)
      if (const auto at = said.find(key); at != said.end()) {
        const std::string text = content_of(*at);
        if (text.empty())
          named.erase(key);
        else
          named[key] = text;
      }
  return {named.begin(), named.end()};
}

TemplateSource source_in_folder(const std::string& folder, const tokenizer::Tokenizer& opened) {
  const json config = json_part(folder, "tokenizer_config.json");
  TemplateSource source;
  const std::string path = folder + "/chat_template.jinja";
  if (!is_missing(path)) {
    auto text = read_bytes(path, chat::kLongestTemplate);
    if (!text) throw Error(text.error());
    source.text = std::move(*text);
  } else {
    source.text = template_in(config);
  }
  if (source.text) source.tokens = tokens_in(folder, config, opened);
  return source;
}

TemplateSource source_in_gguf(const std::string& path, const tokenizer::Tokenizer& opened) {
  const auto file = MappedFile::open(gguf_parts(path).front());
  if (!file) throw Error(file.error());
  const auto bytes = (*file)->bytes();
  const json metadata =
      read_gguf_header({reinterpret_cast<const char*>(bytes.data()), bytes.size()}).metadata;
  TemplateSource source;
  const json text = value_or(metadata, "tokenizer.chat_template", json());
  if (text.is_null()) return source;
  if (!text.is_string()) throw BadInput("key \"tokenizer.chat_template\": should be a text");
  source.text = text.get<std::string>();
  constexpr std::pair<const char*, const char*> kIds[] = {
      {"bos_token", "tokenizer.ggml.bos_token_id"},
      {"eos_token", "tokenizer.ggml.eos_token_id"},
      {"unk_token", "tokenizer.ggml.unknown_token_id"},
      {"sep_token", "tokenizer.ggml.seperator_token_id"},
      {"pad_token", "tokenizer.ggml.padding_token_id"},
  };
  for (const auto& [name, key] : kIds) {
    const json id = value_or(metadata, key, json());
    const auto number = id.is_number_integer() ? id.get<std::int64_t>() : -1;
    if (number < 0 || number > 0xFFFFFFFF) continue;
    if (const auto token = opened.token_of(static_cast<std::uint32_t>(number)))
      source.tokens.emplace_back(name, *token);
  }
  return source;
}

}  // namespace

Expected<std::shared_ptr<const chat::Template>> chat_template_at(
    const std::string& path, const tokenizer::Tokenizer& opened) {
  const auto in_file = [&](const Error& error) {
    return Error{error.type, in_quotes(path) + ": " + error.message};
  };
  try {
    auto source = guarded([&] {
      return is_gguf_file(path) ? source_in_gguf(path, opened) : source_in_folder(path, opened);
    });
    if (!source) return tl::make_unexpected(in_file(source.error()));
    if (!source->text) return nullptr;
    auto read = chat::Template::parse(std::move(*source->text), std::move(source->tokens));
    if (!read) return tl::make_unexpected(in_file(read.error()));
    return std::make_shared<const chat::Template>(std::move(*read));
  } catch (const Error& error) {
    return tl::make_unexpected(error);
  }
}

chat::Conversation question_of(const std::string& user, const std::string* system) {
  chat::Conversation conversation;
  if (system != nullptr) conversation.turns.push_back({"system", *system});
  conversation.turns.push_back({"user", user});
  return conversation;
}

}  // namespace lab::files
