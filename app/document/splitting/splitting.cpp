#include "app/document/splitting/splitting.h"

#include <algorithm>
#include <filesystem>

#include "app/base/strings.h"
#include "app/tokenizer/piece_label.h"
#include "app/tokenizer/tokenizer.h"
#include "app/translation/words.h"

namespace lab {

namespace {

Token token_of_piece(const tokenizer::Tokenizer& tokenizer, const tokenizer::Token& piece,
                     std::string_view sentence) {
  std::string shown = piece_label(tokenizer, piece.text);
  if (shown == piece.text) shown.clear();
  return {piece.text,       piece.text,
          std::move(shown), word_of_piece(sentence, piece.bytes, piece.text),
          piece.id,         piece.bytes};
}

Expected<std::vector<Token>> pieces(std::string_view sentence, const Splitting& splitting) {
  const auto& [name, opened] = splitting.tokenizer;
  if (opened == nullptr) {
    return fail(ErrorType::kBadInput,
                tr("the tokenizer “{}” is not open: choose one, or words or characters", {name}));
  }
  const auto encoding = opened->encode(sentence, {.add_special = splitting.special_tokens});
  if (!encoding) return tl::make_unexpected(encoding.error());
  std::vector<Token> tokens;
  tokens.reserve(encoding->size());
  for (const tokenizer::Token& piece : *encoding)
    tokens.push_back(token_of_piece(*opened, piece, sentence));
  return tokens;
}

}  // namespace

Expected<std::vector<Token>> split_sentence(std::string_view sentence, const Splitting& splitting) {
  if (splitting.mode == TokenMode::kTokenizer) return pieces(sentence, splitting);
  std::vector<Token> tokens;
  for (const tokenizer::TextRange bytes : segments(sentence, splitting.mode)) {
    const std::string text(part_of(sentence, bytes));
    tokens.push_back({text, text});
  }
  return tokens;
}

std::string word_of_piece(std::string_view sentence, tokenizer::TextRange bytes,
                          std::string_view piece) {
  const std::string_view word = trimmed(part_of(sentence, bytes));
  return word == piece ? std::string() : std::string(word);
}

std::vector<tokenizer::TextRange> token_bytes(std::string_view sentence, const Splitting& splitting,
                                              const std::vector<Token>& tokens) {
  std::vector<tokenizer::TextRange> ranges;
  if (splitting.mode == TokenMode::kTokenizer) {
    for (const Token& token : tokens) ranges.push_back(token.bytes);
    return ranges;
  }
  ranges = segments(sentence, splitting.mode);
  const auto is_text = [&](const tokenizer::TextRange& bytes, const Token& token) {
    return part_of(sentence, bytes) == token.text;
  };
  if (!std::ranges::equal(ranges, tokens, is_text)) ranges.clear();
  return ranges;
}

std::string short_tokenizer_name(const std::string& name) {
  const std::filesystem::path path(name);
  const std::string file = path.filename().string();
  if (file != "tokenizer.json") return path.extension() == ".json" ? path.stem().string() : file;
  return path.has_parent_path() ? path.parent_path().filename().string() : file;
}

std::string splitting_name(const Splitting& splitting) {
  return splitting.mode == TokenMode::kTokenizer ? short_tokenizer_name(splitting.tokenizer.name)
                                                 : tr(token_mode_name(splitting.mode));
}

}  // namespace lab
