#include "app/base/wording.h"
#include "app/document/commands/reduce.h"
#include "app/document/words/carry_cells.h"
#include "app/translation/words.h"

namespace lab {

using attention::Index;
using attention::Limits;
using attention::SharedMatrix;

namespace {

// The words of a sentence, within the limits.
Expected<std::vector<std::string>> split(const std::string& text, TokenMode mode) {
  if (text.size() > kLongestSentence) {
    return fail(ErrorKind::kBadInput,
                tr("a sentence of {} bytes is longer than the {} that fit; shorten the sentence",
                   {grouped(static_cast<Index>(text.size())), grouped(Index{kLongestSentence})}));
  }
  auto texts = tokenize(text, mode);
  const auto count = std::ssize(texts);
  if (count == 0) {
    return fail(ErrorKind::kBadInput, tr("The sentence is empty: type at least one word."));
  }
  if (count > Limits::kSeqLen) {
    return fail(ErrorKind::kBadInput,
                tr("{} tokens are more than the {} that fit; shorten the sentence",
                   {grouped(count), grouped(Limits::kSeqLen)}));
  }
  return texts;
}

void embed(SharedMatrix& rows, attention::Matrix values) {
  if (!same_numbers(values, *rows)) rows = SharedMatrix(std::move(values));
}

using Words = std::vector<std::string>;

Words words_of(const std::vector<Token>& tokens) {
  Words words;
  for (const Token& token : tokens) words.push_back(token.text);
  return words;
}

// The words of the second sentence, which begins with keys of its own.
std::vector<Token> second_tokens(const WordLine& line, bool is_new) {
  std::vector<Token> tokens = tokens_of(line);
  if (is_new)
    for (Token& token : tokens) token.key = token.text;
  return tokens;
}

// Updates tokens and embeddings, and what stands on words, for sentences of these words; there is
// no second one if `second` is empty.
Expected<Document> with_words(Document changed, const Words& first, const Words& second) {
  attention::Problem& problem = changed.problem;
  const Words& keys = second.empty() ? first : second;
  const auto fits = check_scores(problem.config.n_heads, std::ssize(first), std::ssize(keys));
  if (!fits) return tl::make_unexpected(fits.error());
  const FollowedWords words{follow(query_line(changed), first), follow(key_line(changed), keys)};
  changed.tokens = tokens_of(words.queries.line);
  embed(problem.embedding, embed_tokens(changed));
  if (second.empty()) {
    changed.kv_tokens.clear();
    problem.embedding_kv = {};
  } else {
    changed.kv_tokens = second_tokens(words.keys.line, changed.kv_tokens.empty());
    embed(problem.embedding_kv, embed_kv_tokens(changed));
  }
  make_fit(changed, words);
  return changed;
}

}  // namespace

Expected<Document> reduce(const Document& document, const SetSentence& command) {
  if (command.text == document.sentence) return document;
  const auto words = split(command.text, document.token_mode);
  if (!words) return tl::make_unexpected(words.error());
  Document changed = document;
  changed.sentence = command.text;
  return with_words(std::move(changed), *words, words_of(document.kv_tokens));
}

Expected<Document> reduce(const Document& document, const SetKvSentence& command) {
  const bool wanted = !command.text.empty(), there = !document.kv_tokens.empty();
  if (command.text == document.kv_sentence && wanted == there) return document;
  const Expected<Words> words = wanted ? split(command.text, document.token_mode) : Words();
  if (!words) return tl::make_unexpected(words.error());
  Document changed = document;
  changed.kv_sentence = command.text;
  return with_words(std::move(changed), words_of(document.tokens), *words);
}

Expected<Document> reduce(const Document& document, const SetTokenMode& command) {
  if (command.mode == document.token_mode) return document;
  const bool cross = !document.kv_tokens.empty();
  const auto first = split(document.sentence, command.mode);
  if (!first) return tl::make_unexpected(first.error());
  const Expected<Words> second = cross ? split(document.kv_sentence, command.mode) : Words();
  if (!second) return tl::make_unexpected(second.error());
  Document changed = document;
  changed.token_mode = command.mode;
  return with_words(std::move(changed), *first, *second);
}

}  // namespace lab
