#include "app/tokenizer/model/model.h"

#include <unordered_map>

namespace lab::tokenizer {
namespace {

// Cuts words, and remembers how those it has seen were cut.
class WordCutter {
 public:
  explicit WordCutter(const Model& model) : model_(model) {}

  const std::vector<ModelToken>& cut(std::string_view word) {
    const auto [known, is_new] = words_.try_emplace(word);
    if (is_new)
      known->second = std::visit([&](const auto& model) { return model.tokens_of(word); }, model_);
    return known->second;
  }

 private:
  const Model& model_;
  std::unordered_map<std::string_view, std::vector<ModelToken>> words_;
};

}  // namespace

const Vocabulary& vocabulary_of(const Model& model) {
  if (const auto* bpe = std::get_if<Bpe>(&model)) return bpe->vocabulary();
  if (const auto* unigram = std::get_if<Unigram>(&model)) return unigram->vocabulary();
  if (const auto* other = std::get_if<Renumbered>(&model)) return other->vocabulary();
  if (const auto* words = std::get_if<WordPiece>(&model)) return words->vocabulary;
  return std::get<WordLevel>(model).vocabulary;
}

std::vector<Token> tokens_of(const Model& model, const Pieces& pieces) {
  const Vocabulary& vocabulary = vocabulary_of(model);
  WordCutter words(model);
  std::vector<Token> tokens;
  tokens.reserve(pieces.list().size());
  const auto add = [&](const Piece& piece, const ModelToken& found, std::string_view text) {
    tokens.push_back({found.id, std::string(text), pieces.source_of(piece, found.bytes), {}});
  };
  for (const Piece& piece : pieces.list()) {
    const std::string_view word = pieces.text_of(piece);
    if (piece.added) {
      add(piece, {*piece.added, {0, static_cast<std::uint32_t>(word.size())}}, word);
      continue;
    }
    if (word.empty()) continue;
    for (const ModelToken& found : words.cut(word)) {
      add(piece, found,
          found.own_text ? part_of(word, found.bytes) : vocabulary.text_of(found.id).value_or(""));
    }
  }
  return tokens;
}

}  // namespace lab::tokenizer
