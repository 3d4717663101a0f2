#include <algorithm>
#include <map>

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

// The words of the second sentence. Its new ones are those of the first sentence where they share
// their vectors; when it begins, all of its words are new.
std::vector<Token> second_tokens(const WordLine& line, const Document& document, bool begins) {
  std::vector<Token> tokens = tokens_of(line);
  if (!document.shared_words) {
    if (!begins) return tokens;
    for (Token& token : tokens) token.key = token.text;
    return tokens;
  }
  std::map<std::string_view, const Token*> first;
  for (const Token& token : document.tokens) first.emplace(token.text, &token);
  for (Token& token : tokens) {
    const auto same = first.find(token.text);
    if (token.key == token.text && same != first.end()) token.key = same->second->key;
  }
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
    changed.kv_tokens = second_tokens(words.keys.line, changed, changed.kv_tokens.empty());
    embed(problem.embedding_kv, embed_kv_tokens(changed));
  }
  make_fit(changed, words);
  return changed;
}

// The rows of `tokens` that are not in `lexicon`, from the rows of their embedding, added to it.
std::shared_ptr<const Lexicon> with_every_row(const std::shared_ptr<const Lexicon>& lexicon,
                                              const std::vector<Token>& tokens,
                                              const attention::Matrix& rows) {
  Lexicon all = *lexicon;
  for (std::size_t i = 0; i < tokens.size(); ++i)
    all.emplace(tokens[i].key, rows.row(static_cast<Index>(i)));
  return all.size() == lexicon->size() ? lexicon : std::make_shared<const Lexicon>(std::move(all));
}

// True when the first sentence has a vector for that word.
bool is_in_first(const Document& document, const std::string& key) {
  return document.lexicon->contains(key) ||
         std::ranges::find(document.tokens, key, &Token::key) != document.tokens.end();
}

// Another scale of new words; the words that are there keep their vectors.
Expected<Document> with_new_word_scale(Document changed, float scale) {
  if (same_number(scale, changed.new_word_scale)) return changed;
  if (!is_new_word_scale(scale)) {
    return fail(
        ErrorKind::kBadInput,
        tr("a scale of {} cannot be used: it must be between 0.001 and 1,000", {shortest(scale)}));
  }
  changed.lexicon = with_every_row(changed.lexicon, changed.tokens, *changed.problem.embedding);
  Lexicon own = *changed.kv_lexicon;
  for (std::size_t i = 0; i < changed.kv_tokens.size(); ++i) {
    const std::string& key = changed.kv_tokens[i].key;
    const auto row = changed.problem.embedding_kv->row(static_cast<Index>(i));
    if (!changed.shared_words || !changed.lexicon->contains(key)) own.emplace(key, row);
  }
  if (own.size() != changed.kv_lexicon->size())
    changed.kv_lexicon = std::make_shared<const Lexicon>(std::move(own));
  changed.new_word_scale = scale;
  return changed;
}

}  // namespace

Expected<Document> reduce(const Document& document, const SetSentence& command) {
  auto scaled =
      with_new_word_scale(document, command.new_word_scale.value_or(document.new_word_scale));
  if (!scaled || command.text == document.sentence) return scaled;
  const auto words = split(command.text, document.token_mode);
  if (!words) return tl::make_unexpected(words.error());
  Document changed = *std::move(scaled);
  changed.sentence = command.text;
  return with_words(std::move(changed), *words, words_of(document.kv_tokens));
}

Expected<Document> reduce(const Document& document, const SetKvSentence& command) {
  auto scaled =
      with_new_word_scale(document, command.new_word_scale.value_or(document.new_word_scale));
  const bool wanted = !command.text.empty(), there = !document.kv_tokens.empty();
  if (!scaled || (command.text == document.kv_sentence && wanted == there)) return scaled;
  const Expected<Words> words = wanted ? split(command.text, document.token_mode) : Words();
  if (!words) return tl::make_unexpected(words.error());
  Document changed = *std::move(scaled);
  changed.kv_sentence = command.text;
  return with_words(std::move(changed), words_of(document.tokens), *words);
}

Expected<Document> reduce(const Document& document, const SetSharedWords& command) {
  Document changed = document;
  changed.shared_words = command.on;
  if (!command.on && document.shared_words && document.problem.cross()) {
    changed.kv_lexicon =
        with_every_row(document.kv_lexicon, document.kv_tokens, *document.problem.embedding_kv);
  }
  if (command.on) {
    Lexicon own = *document.kv_lexicon;
    std::erase_if(own, [&](const auto& row) { return is_in_first(document, row.first); });
    if (own.size() != document.kv_lexicon->size())
      changed.kv_lexicon = std::make_shared<const Lexicon>(std::move(own));
  }
  if (document.problem.cross()) embed(changed.problem.embedding_kv, embed_kv_tokens(changed));
  return changed;
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
