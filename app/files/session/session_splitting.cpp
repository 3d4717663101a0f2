#include "app/files/session/session_splitting.h"

#include <algorithm>
#include <array>

#include "app/base/strict_json.h"
#include "app/files/tokenizer/tokenizer_file.h"

namespace lab::files {

namespace {

Splitting read_tokenizer_file(const JsonCursor& object) {
  Splitting splitting{TokenMode::kTokenizer, {}, true};
  const std::string name = object.at("file").text();
  if (const auto special = object.find("special_tokens"))
    splitting.special_tokens = special->flag();
  splitting.tokenizer = open_named_tokenizer(name).value_or(NamedTokenizer{name});
  return splitting;
}

tokenizer::TextRange read_range(const JsonCursor& ends, std::size_t size) {
  if (ends.list().value().size() != 2) ends.refuse("should be two numbers");
  const int first = ends.item(0).whole(), last = ends.item(1).whole();
  if (first > last || static_cast<std::size_t>(last) > size)
    ends.wrong("a part of the sentence's " + std::to_string(size) + " bytes");
  return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last)};
}

// What only the pieces of a tokenizer have.
void read_piece(const JsonCursor& object, std::string_view sentence, Token& token) {
  const FieldReader members(object);
  members.may_miss("shown", token.shown);
  members.may_miss("id", token.id);
  const auto bytes = object.find("bytes");
  if (!bytes) return;
  token.bytes = read_range(*bytes, sentence.size());
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

Splitting read_splitting(const JsonCursor& root) {
  const auto value = root.find("tokenizer");
  if (!value) return {};
  if (value->value().is_object()) return read_tokenizer_file(*value);
  const auto mode_from_name = [](std::string_view name) {
    const auto mode = token_mode_from_name(name);
    return mode == TokenMode::kTokenizer ? std::nullopt : mode;
  };
  return {value->named(mode_from_name, R"(, should be "words", "characters" or {"file": …})"),
          {},
          true};
}

void write_splitting(JsonWriter& out, const Splitting& splitting) {
  out.member("tokenizer");
  if (splitting.mode != TokenMode::kTokenizer) return out.string(token_mode_name(splitting.mode));
  out.object([&] {
    write_member(out, "file", splitting.tokenizer.name);
    write_member(out, "special_tokens", splitting.special_tokens);
  });
}

std::vector<Token> read_token_list(const JsonCursor& list, std::string_view sentence) {
  std::vector<Token> tokens;
  list.for_each([&](const JsonCursor& item) {
    const FieldReader members(item.object());
    Token& token = tokens.emplace_back();
    members("text", token.text);
    token.key = token.text;
    members.may_miss("key", token.key);
    read_piece(item, sentence, token);
  });
  return tokens;
}

void write_token(JsonWriter& out, const Token& token) {
  out.begin('{', JsonLayout::kOneLine);
  write_member(out, "text", token.text);
  write_member(out, "key", token.key);
  if (token.id) {
    write_unless_default(out, "shown", token.shown);
    write_member(out, "id", token.id);
    out.member("bytes");
    out.whole_numbers(std::array{token.bytes.first, token.bytes.last});
  }
  out.end('}');
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
