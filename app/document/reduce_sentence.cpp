#include <algorithm>
#include <iterator>

#include "app/document/reduce.h"
#include "app/document/wording.h"

namespace lab {

using attention::Index;
using attention::Limits;
using attention::SharedMatrix;

namespace {

// Tokens of those texts. What the old and the new sentence have in common at their beginnings and
// at their ends keeps its keys.
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

// Drops a matrix given score by score when there are other scores now.
void drop_unless(SharedMatrix& matrix, attention::Shape shape) {
  if (matrix.shape() != shape) matrix = {};
}

Expected<void> check_length(const attention::Problem& problem, Index seq_len) {
  if (seq_len == 0) {
    return fail(ErrorKind::kBadInput, "The sentence is empty: type at least one word.");
  }
  if (seq_len > Limits::kSeqLen) {
    return fail(ErrorKind::kBadInput, grouped(seq_len) + " tokens are more than the " +
                                          grouped(Limits::kSeqLen) +
                                          " that fit; shorten the sentence");
  }
  const Index kv_len = problem.cross() ? problem.kv_len() : seq_len;
  return check_scores(problem.config.n_heads, seq_len, kv_len);
}

// Gives `changed` the tokens of its sentence, and what follows from them.
Expected<Document> with_tokens_cut(Document changed) {
  if (changed.sentence.size() > kLongestSentence) {
    return fail(ErrorKind::kBadInput,
                "a sentence of " + grouped(static_cast<Index>(changed.sentence.size())) +
                    " bytes is longer than the " + grouped(Index{kLongestSentence}) +
                    " that fit; shorten the sentence");
  }
  const auto texts = tokenize(changed.sentence, changed.token_mode);
  const auto seq_len = static_cast<Index>(texts.size());
  if (const auto fits = check_length(changed.problem, seq_len); !fits) {
    return tl::make_unexpected(fits.error());
  }
  changed.tokens = tokens_from(texts, changed.tokens);
  attention::Problem& problem = changed.problem;
  attention::Matrix rows = embed_tokens(changed);
  if (!same_numbers(rows, *problem.embedding)) problem.embedding = SharedMatrix(std::move(rows));
  drop_unless(problem.allowed, {problem.seq_len(), problem.kv_len()});
  drop_unless(problem.bias, {problem.seq_len(), problem.kv_len()});
  return changed;
}

}  // namespace

Expected<Document> reduce(const Document& document, const SetSentence& command) {
  if (command.text == document.sentence) return document;
  Document changed = document;
  changed.sentence = command.text;
  return with_tokens_cut(std::move(changed));
}

Expected<Document> reduce(const Document& document, const SetTokenMode& command) {
  if (command.mode == document.token_mode) return document;
  Document changed = document;
  changed.token_mode = command.mode;
  return with_tokens_cut(std::move(changed));
}

}  // namespace lab
