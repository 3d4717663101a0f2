#include "app/files/session/session_splitting.h"

#include <algorithm>

#include "app/base/bad_input.h"
#include "app/base/strict_json.h"
#include "app/files/session/json_reading.h"
#include "app/files/session/json_writer.h"
#include "app/files/tokenizer_file.h"

namespace lab::files {

using nlohmann::json;

namespace {

Splitting read_tokenizer_file(const json& object) {
  Splitting splitting{TokenMode::kTokenizer, {}, true};
  const std::string name = read_string(require(object, "tokenizer", "file"), "tokenizer.file");
  if (const json* special = find(object, "special_tokens"))
    splitting.special_tokens = read_bool(*special, "tokenizer.special_tokens");
  splitting.tokenizer = open_named_tokenizer(name).value_or(NamedTokenizer{name});
  return splitting;
}

tokenizer::TextRange read_range(const json& value, const std::string& path, std::size_t size) {
  const json& ends = checked_list(value, path);
  if (ends.size() != 2) wrong(path, "should be two numbers");
  const int first = read_size(ends[0], path + "[0]"), last = read_size(ends[1], path + "[1]");
  if (first > last || static_cast<std::size_t>(last) > size) {
    wrong(path, json_text(value) + ", should be a part of the sentence's " + std::to_string(size) +
                    " bytes");
  }
  return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last)};
}

// What only the pieces of a tokenizer have.
void read_piece(const json& object, const std::string& path, std::string_view sentence,
                Token& token) {
  if (const json* shown = find(object, "shown")) token.shown = read_string(*shown, path + ".shown");
  if (const json* id = find(object, "id"))
    token.id = static_cast<std::uint32_t>(read_size(*id, path + ".id"));
  const json* bytes = find(object, "bytes");
  if (!bytes) return;
  token.bytes = read_range(*bytes, path + ".bytes", sentence.size());
  token.word = word_of_piece(sentence, token.bytes, token.text);
}

bool same_texts(const std::vector<Token>& a, const std::vector<Token>& b) {
  return std::ranges::equal(a, b, {}, &Token::text, &Token::text);
}

// True when the tokenizer gives the listed tokens.
bool gives(const Splitting& splitting, const std::string& sentence,
           const std::vector<Token>& tokens) {
  const auto split = split_sentence(sentence, splitting);
  return split && same_texts(*split, tokens);
}

}  // namespace

Splitting read_splitting(const json& root) {
  const json* value = find(root, "tokenizer");
  if (!value) return {};
  if (value->is_object()) return read_tokenizer_file(*value);
  const std::string name = read_string(*value, "tokenizer");
  const auto mode = token_mode_from_name(name);
  if (!mode || *mode == TokenMode::kTokenizer) {
    wrong("tokenizer", in_quotes(name) + ", should be \"words\", \"characters\" or {\"file\": …}");
  }
  return {*mode, {}, true};
}

void write_splitting(JsonWriter& out, const Splitting& splitting) {
  out.member("tokenizer");
  if (splitting.mode != TokenMode::kTokenizer) return out.string(token_mode_name(splitting.mode));
  out.begin('{');
  out.member("file");
  out.string(splitting.tokenizer.name);
  out.member("special_tokens");
  out.raw(splitting.special_tokens ? "true" : "false");
  out.end('}');
}

std::vector<Token> read_token_list(const json& list, const char* name, std::string_view sentence) {
  std::vector<Token> tokens;
  for (const json& value : checked_list(list, name)) {
    const std::string path = indexed(name, tokens.size());
    const json& object = checked_object(value, path);
    Token& token = tokens.emplace_back();
    token.text = read_string(require(object, path, "text"), path + ".text");
    const json* key = find(object, "key");
    token.key = key ? read_string(*key, path + ".key") : token.text;
    read_piece(object, path, sentence, token);
  }
  return tokens;
}

std::string token_json(const Token& token) {
  std::string text =
      "{\"text\": " + json_string(token.text) + ", \"key\": " + json_string(token.key);
  if (token.id) {
    if (!token.shown.empty()) text += ", \"shown\": " + json_string(token.shown);
    text += ", \"id\": " + std::to_string(*token.id);
    text += ", \"bytes\": [" + std::to_string(token.bytes.first) + ", " +
            std::to_string(token.bytes.last) + "]";
  }
  return text + "}";
}

std::vector<std::string> splitting_notes(const Document& document) {
  const Splitting& splitting = document.splitting;
  if (splitting.mode != TokenMode::kTokenizer) return {};
  if (splitting.tokenizer.opened == nullptr) {
    const auto opened = open_named_tokenizer(splitting.tokenizer.name);
    return {"the tokenizer cannot be opened: " +
            (opened ? std::string("it changed meanwhile") : opened.error().message) +
            "; the sentence keeps its tokens, and can be edited once it is split in another way"};
  }
  const bool cross = document.problem.cross() && !document.kv_sentence.empty();
  if (gives(splitting, document.sentence, document.tokens) &&
      (!cross || gives(splitting, document.kv_sentence, document.kv_tokens)))
    return {};
  return {"the tokenizer " + in_quotes(splitting.tokenizer.name) +
          " splits the sentence differently from when it was saved; the sentence keeps its tokens "
          "until it is edited"};
}

}  // namespace lab::files
