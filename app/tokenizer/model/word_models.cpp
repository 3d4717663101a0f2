#include "app/tokenizer/model/word_models.h"

#include "app/base/bad_input.h"
#include "app/tokenizer/unicode/utf8.h"

namespace lab::tokenizer {
namespace {

ModelToken unknown_word(const Vocabulary& vocabulary, const std::string& unk_token,
                        std::string_view word) {
  const auto id = vocabulary.id_of(unk_token);
  if (!id)
    throw BadInput("the vocabulary has no piece " + in_quotes(unk_token) + " for unknown words");
  return {*id, {0, static_cast<std::uint32_t>(word.size())}};
}

// The longest piece that `word` has at byte `from`; an empty one if there is none. `candidate` is
// scratch space.
ModelToken longest_piece(const WordPiece& model, std::string_view word, std::size_t from,
                         std::string& candidate) {
  candidate.assign(from > 0 ? model.continuing_subword_prefix : "");
  const std::size_t prefix = candidate.size();
  candidate += word.substr(from);
  for (std::size_t end = word.size(); end > from; end = character_before(word, end)) {
    const std::string_view text(candidate.data(), prefix + end - from);
    if (const auto id = model.vocabulary.id_of(text))
      return {*id, {static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(end)}};
  }
  return {};
}

}  // namespace

std::vector<ModelToken> WordPiece::tokens_of(std::string_view word) const {
  if (character_count(word) > max_input_chars_per_word)
    return {unknown_word(vocabulary, unk_token, word)};
  std::vector<ModelToken> tokens;
  std::string candidate;
  for (std::size_t at = 0; at < word.size(); at = tokens.back().bytes.last) {
    tokens.push_back(longest_piece(*this, word, at, candidate));
    if (tokens.back().bytes.empty()) return {unknown_word(vocabulary, unk_token, word)};
  }
  return tokens;
}

std::vector<ModelToken> WordLevel::tokens_of(std::string_view word) const {
  if (const auto id = vocabulary.id_of(word))
    return {{*id, {0, static_cast<std::uint32_t>(word.size())}}};
  return {unknown_word(vocabulary, unk_token, word)};
}

}  // namespace lab::tokenizer
