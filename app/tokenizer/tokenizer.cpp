#include "app/tokenizer/tokenizer.h"

#include <algorithm>

#include "app/base/bad_input.h"
#include "app/base/unicode_text.h"
#include "app/tokenizer/unicode/utf8.h"

namespace lab::tokenizer {
namespace {

void check_text(std::string_view text) {
  if (text.size() > kLongestText) {
    throw BadInput("the text has " + std::to_string(text.size()) + " bytes; at most " +
                   std::to_string(kLongestText) + " can be cut into tokens");
  }
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = code_point_at(text, at);
    if (!point.valid())
      throw BadInput("the text is not valid UTF-8: byte " + std::to_string(at) +
                     " begins no character");
    at += point.size;
  }
}

// For each byte of a text the number of characters that begin before it or there, less one; and the
// number of all for its end.
class CharacterIndex {
 public:
  explicit CharacterIndex(std::string_view text) {
    index_.reserve(text.size() + 1);
    starts_.reserve(text.size() + 1);
    for_each_character(text, [&](char32_t, std::size_t at, std::size_t size) {
      index_.insert(index_.end(), size, static_cast<std::uint32_t>(starts_.size()));
      starts_.push_back(static_cast<std::uint32_t>(at));
    });
    index_.push_back(static_cast<std::uint32_t>(starts_.size()));
    starts_.push_back(static_cast<std::uint32_t>(text.size()));
  }

  TextRange characters(TextRange bytes) const {
    return {index_[std::min<std::size_t>(bytes.first, index_.size() - 1)],
            index_[std::min<std::size_t>(bytes.last, index_.size() - 1)]};
  }
  TextRange bytes(TextRange characters) const {
    return {starts_[std::min<std::size_t>(characters.first, starts_.size() - 1)],
            starts_[std::min<std::size_t>(characters.last, starts_.size() - 1)]};
  }

 private:
  std::vector<std::uint32_t> index_;   // by byte
  std::vector<std::uint32_t> starts_;  // by character
};

// The post-processors trim offsets in characters; the bytes follow.
void set_bytes(Encoding& encoding, std::string_view text, std::string_view pair) {
  const CharacterIndex first(text);
  const CharacterIndex second(pair);
  for (Token& token : encoding)
    if (!token.special)
      token.bytes = (token.sequence == 0 ? first : second).bytes(token.characters);
}

}  // namespace

Encoding Tokenizer::encode_one(std::string_view text) const {
  check_text(text);
  Pieces pieces(text);
  pipeline_.added.split(pieces, false);
  for (const Normalizer& normalizer : pipeline_.normalizers) normalize(normalizer, pieces);
  pipeline_.added.split(pieces, true);
  for (const PreTokenizer& node : pipeline_.pre_tokenizers) pre_tokenize(node, pieces);
  Encoding encoding = tokens_of(pipeline_.model, pieces);
  const CharacterIndex index(text);
  for (Token& token : encoding) token.characters = index.characters(token.bytes);
  return encoding;
}

Expected<Encoding> Tokenizer::encode(std::string_view text, const EncodeOptions& options) const {
  return guarded([&] {
    Encodings encodings{encode_one(text)};
    if (options.pair) {
      encodings.push_back(encode_one(*options.pair));
      for (Token& token : encodings.back()) token.type_id = token.sequence = 1;
    }
    if (options.truncate && pipeline_.truncation) {
      std::size_t added = 0;
      for (const PostProcessor& node : pipeline_.post_processors)
        added += options.add_special ? added_count(node, options.pair.has_value()) : 0;
      truncate(encodings, *pipeline_.truncation, added);
    }
    for (const PostProcessor& node : pipeline_.post_processors)
      post_process(node, encodings, options.add_special);
    Encoding encoding;
    for (Encoding& item : encodings)
      encoding.insert(encoding.end(), std::make_move_iterator(item.begin()),
                      std::make_move_iterator(item.end()));
    set_bytes(encoding, text, options.pair.value_or(""));
    if (options.pad && pipeline_.padding) pad(encoding, *pipeline_.padding);
    return encoding;
  });
}

std::optional<std::string> Tokenizer::token_of(std::uint32_t id) const {
  const auto added = pipeline_.added.by_id().find(id);
  if (added != pipeline_.added.by_id().end()) return added->second.pattern;
  const auto text = vocabulary_of(pipeline_.model).text_of(id);
  return text ? std::optional<std::string>(*text) : std::nullopt;
}

std::optional<std::uint32_t> Tokenizer::id_of(std::string_view token) const {
  const auto added = pipeline_.added.id_of(token);
  return added ? added : vocabulary_of(pipeline_.model).id_of(token);
}

std::size_t Tokenizer::size() const {
  const Vocabulary& vocabulary = vocabulary_of(pipeline_.model);
  std::size_t count = vocabulary.size();
  for (const auto& [id, token] : pipeline_.added.by_id())
    count += vocabulary.id_of(token.content) ? 0 : 1;
  return count;
}

Expected<std::string> Tokenizer::decode(std::span<const std::uint32_t> ids,
                                        bool skip_special) const {
  return guarded([&] {
    std::vector<std::string> tokens;
    for (const std::uint32_t id : ids) {
      auto token = token_of(id);
      if (token && !(skip_special && pipeline_.added.is_special(*token)))
        tokens.push_back(std::move(*token));
    }
    for (const Decoder& decoder : pipeline_.decoders)
      tokens = tokenizer::decode(decoder, std::move(tokens));
    std::string text;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (i > 0 && pipeline_.decoders.empty()) text += ' ';
      text += tokens[i];
    }
    return text;
  });
}

Expected<std::string> Tokenizer::decode_added(std::vector<std::uint32_t> ids,
                                              std::span<const std::uint32_t> added,
                                              bool skip_special) const {
  auto before = decode(ids, skip_special);
  if (!before) return before;
  ids.insert(ids.end(), added.begin(), added.end());
  auto after = decode(ids, skip_special);
  if (!after) return after;
  if (after->starts_with(*before)) return after->substr(before->size());
  return decode(added, skip_special);
}

}  // namespace lab::tokenizer
