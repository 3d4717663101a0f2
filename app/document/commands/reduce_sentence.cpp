#include <algorithm>
#include <iterator>

#include "app/base/wording.h"
#include "app/document/commands/reduce.h"
#include "app/translation/words.h"

namespace lab {

using attention::Index;
using attention::Limits;
using attention::SharedMatrix;

namespace {

// Tokens for those texts. The common beginning and end of the old and the new sentence keep their
// keys.
std::vector<Token> tokens_from(const std::vector<std::string>& texts,
                               const std::vector<Token>& old) {
  std::vector<Token> tokens;
  tokens.reserve(texts.size());
  for (const std::string& text : texts) tokens.push_back({text, text});
  const auto same_text = [](const Token& a, const Token& b) { return a.text == b.text; };
  const auto [front, old_front] =
      std::mismatch(tokens.begin(), tokens.end(), old.begin(), old.end(), same_text);
  const auto back = std::mismatch(tokens.rbegin(), std::make_reverse_iterator(front), old.rbegin(),
                                  std::make_reverse_iterator(old_front), same_text);
  std::copy(old.begin(), old_front, tokens.begin());
  std::copy(old.rbegin(), back.second, tokens.rbegin());
  return tokens;
}

Expected<std::vector<Token>> cut(const std::string& text, TokenMode mode,
                                 const std::vector<Token>& old) {
  if (text.size() > kLongestSentence) {
    return fail(ErrorKind::kBadInput,
                tr("a sentence of {} bytes is longer than the {} that fit; shorten the sentence",
                   {grouped(static_cast<Index>(text.size())), grouped(Index{kLongestSentence})}));
  }
  const auto texts = tokenize(text, mode);
  const auto count = std::ssize(texts);
  if (count == 0) {
    return fail(ErrorKind::kBadInput, tr("The sentence is empty: type at least one word."));
  }
  if (count > Limits::kSeqLen) {
    return fail(ErrorKind::kBadInput,
                tr("{} tokens are more than the {} that fit; shorten the sentence",
                   {grouped(count), grouped(Limits::kSeqLen)}));
  }
  return tokens_from(texts, old);
}

void embed(SharedMatrix& rows, attention::Matrix values) {
  if (!same_numbers(values, *rows)) rows = SharedMatrix(std::move(values));
}

// Updates the tokens of the first sentence of `changed`.
Expected<void> split_queries(Document& changed) {
  auto tokens = cut(changed.sentence, changed.token_mode, changed.tokens);
  if (!tokens) return tl::make_unexpected(tokens.error());
  changed.tokens = std::move(*tokens);
  return {};
}

// Updates the tokens of the second sentence of `changed`.
Expected<void> split_keys(Document& changed) {
  auto tokens = cut(changed.kv_sentence, changed.token_mode, changed.kv_tokens);
  if (!tokens) return tl::make_unexpected(tokens.error());
  changed.kv_tokens = std::move(*tokens);
  return {};
}

// Updates the embeddings of the problem from the tokens, and what depends on them.
Expected<Document> with_tokens_embedded(Document changed) {
  attention::Problem& problem = changed.problem;
  const auto seq_len = std::ssize(changed.tokens), kv_len = std::ssize(changed.kv_tokens);
  const auto fits = check_scores(problem.config.n_heads, seq_len, kv_len == 0 ? seq_len : kv_len);
  if (!fits) return tl::make_unexpected(fits.error());
  embed(problem.embedding, embed_tokens(changed));
  if (changed.kv_tokens.empty()) {
    problem.embedding_kv = {};
  } else {
    embed(problem.embedding_kv, embed_kv_tokens(changed));
  }
  make_fit(problem);
  return changed;
}

}  // namespace

Expected<Document> reduce(const Document& document, const SetSentence& command) {
  if (command.text == document.sentence) return document;
  Document changed = document;
  changed.sentence = command.text;
  if (auto done = split_queries(changed); !done) return tl::make_unexpected(done.error());
  return with_tokens_embedded(std::move(changed));
}

Expected<Document> reduce(const Document& document, const SetKvSentence& command) {
  const bool wanted = !command.text.empty(), there = !document.kv_tokens.empty();
  if (command.text == document.kv_sentence && wanted == there) return document;
  Document changed = document;
  changed.kv_sentence = command.text;
  if (!wanted) {
    changed.kv_tokens.clear();
  } else if (auto done = split_keys(changed); !done) {
    return tl::make_unexpected(done.error());
  }
  return with_tokens_embedded(std::move(changed));
}

Expected<Document> reduce(const Document& document, const SetTokenMode& command) {
  if (command.mode == document.token_mode) return document;
  Document changed = document;
  changed.token_mode = command.mode;
  if (auto done = split_queries(changed); !done) return tl::make_unexpected(done.error());
  if (!changed.kv_tokens.empty()) {
    if (auto done = split_keys(changed); !done) return tl::make_unexpected(done.error());
  }
  return with_tokens_embedded(std::move(changed));
}

}  // namespace lab
