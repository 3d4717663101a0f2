#include "app/tokenizer/decoder/decoder.h"

#include <unicode/utf8.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/base/unicode_text.h"
#include "app/base/visible_text.h"
#include "app/tokenizer/text/byte_characters.h"
#include "app/tokenizer/unicode/utf8.h"

namespace lab::tokenizer {
namespace {

/// `bytes` as text: U+FFFD stands for each longest beginning of a character that is cut short, and
/// for each byte that begins none (Unicode 16, section 3.9, “U+FFFD Substitution of Maximal
/// Subparts”).
std::string lossy_utf8(std::string_view bytes) {
  std::string text;
  const auto* const data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  for (std::size_t at = 0; at < bytes.size();) {
    std::int32_t next = 0;
    UChar32 character = 0;
    const auto length = static_cast<std::int32_t>(std::min<std::size_t>(bytes.size() - at, 4));
    U8_NEXT_OR_FFFD(data + at, next, length, character);  // passes over a maximal subpart
    append_utf8(text, static_cast<char32_t>(character));
    at += static_cast<std::size_t>(next);
  }
  return text;
}

using Tokens = std::vector<std::string>;

// `text` with `with` in place of each `old`.
std::string replaced(std::string_view text, std::string_view old, std::string_view with) {
  std::string result;
  std::size_t at = 0;
  for (std::size_t found = text.find(old); found != text.npos && !old.empty();
       found = text.find(old, at)) {
    result.append(text, at, found - at).append(with);
    at = found + old.size();
  }
  return result.append(text, at);
}

// `text` without the blanks that cutting into words left before punctuation and shortened words.
std::string cleaned(std::string text) {
  constexpr std::pair<const char*, const char*> kReplacements[] = {
      {" .", "."},   {" ?", "?"},     {" !", "!"},     {" ,", ","},
      {" ' ", "'"},  {" n't", "n't"}, {" 'm", "'m"},   {" do not", " don't"},
      {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"},
  };
  for (const auto& [old, with] : kReplacements) text = replaced(text, old, with);
  return text;
}

Tokens apply_node(const BpeDecoder& node, Tokens tokens) {
  for (std::size_t i = 0; i < tokens.size(); ++i)
    tokens[i] = replaced(tokens[i], node.suffix, i + 1 == tokens.size() ? "" : " ");
  return tokens;
}

// Appends the bytes that the characters of `token` stand for, or the token itself if one stands for
// none.
void append_bytes(const std::string& token, std::string& bytes) {
  const std::size_t before = bytes.size();
  bool all = true;
  for_each_character(token, [&](char32_t character, std::size_t, std::size_t) {
    const auto byte = byte_of_character(character);
    if (byte) bytes += static_cast<char>(*byte);
    all = all && byte;
  });
  if (!all) bytes.replace(before, bytes.npos, token);
}

Tokens apply_node(const ByteLevelDecoder&, const Tokens& tokens) {
  std::string bytes;
  for (const std::string& token : tokens) append_bytes(token, bytes);
  return {lossy_utf8(bytes)};
}

Tokens apply_node(const WordPieceDecoder& node, Tokens tokens) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (i > 0 && tokens[i].starts_with(node.prefix))
      tokens[i].erase(0, node.prefix.size());
    else if (i > 0)
      tokens[i].insert(0, " ");
    if (node.cleanup) tokens[i] = cleaned(std::move(tokens[i]));
  }
  return tokens;
}

Tokens apply_node(const MetaspaceDecoder& node, Tokens tokens) {
  for (std::size_t i = 0; i < tokens.size(); ++i)
    tokens[i] = replaced(tokens[i], node.replacement, i == 0 && !node.keep_first ? "" : " ");
  return tokens;
}

Tokens apply_node(const CtcDecoder& node, Tokens tokens) {
  tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
  for (std::string& token : tokens) {
    token = replaced(token, node.pad_token, "");
    if (node.cleanup) token = replaced(cleaned(token), node.word_delimiter_token, " ");
  }
  std::erase_if(tokens, [](const std::string& token) { return token.empty(); });
  return tokens;
}

Tokens apply_node(const ReplaceDecoder& node, Tokens tokens) {
  for (std::string& token : tokens) {
    std::string result;
    for (const Match& match : node.pattern.segments(token))
      result += match.matched ? std::string_view(node.content) : part_of(token, match.bytes);
    token = std::move(result);
  }
  return tokens;
}

Tokens apply_node(const FuseDecoder&, const Tokens& tokens) {
  std::string all;
  for (const std::string& token : tokens) all += token;
  return {all};
}

Tokens apply_node(const StripDecoder& node, Tokens tokens) {
  for (std::string& token : tokens) {
    for (std::size_t i = 0; i < node.start && token.starts_with(node.content); ++i)
      token.erase(0, node.content.size());
    for (std::size_t i = 0; i < node.stop && token.ends_with(node.content); ++i)
      token.erase(token.size() - node.content.size());
  }
  return tokens;
}

// The byte that a token such as "<0xE2>" stands for.
std::optional<char> byte_of_token(const std::string& token) {
  if (token.size() != 6 || !token.starts_with("<0x") || !token.ends_with('>')) return std::nullopt;
  unsigned byte = 0;
  const char* const end = token.data() + 5;
  const auto [stop, error] = std::from_chars(token.data() + 3, end, byte, 16);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return static_cast<char>(byte);
}

// Appends what `bytes` spell, or U+FFFD for each of them, and clears them.
void flush(std::string& bytes, Tokens& result) {
  if (is_utf8(bytes) && !bytes.empty())
    result.push_back(bytes);
  else
    result.insert(result.end(), bytes.size(), utf8(U"\uFFFD"));
  bytes.clear();
}

Tokens apply_node(const ByteFallbackDecoder&, const Tokens& tokens) {
  Tokens result;
  std::string bytes;
  for (const std::string& token : tokens) {
    if (const auto byte = byte_of_token(token)) {
      bytes += *byte;
      continue;
    }
    flush(bytes, result);
    result.push_back(token);
  }
  flush(bytes, result);
  return result;
}

}  // namespace

std::vector<std::string> decode(const Decoder& decoder, std::vector<std::string> tokens) {
  return std::visit([&](const auto& node) { return apply_node(node, std::move(tokens)); }, decoder);
}

}  // namespace lab::tokenizer
