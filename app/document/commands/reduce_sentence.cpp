#include <algorithm>
#include <map>
#include <set>

#include "app/base/strings.h"
#include "app/base/wording.h"
#include "app/document/commands/reduce.h"
#include "app/document/splitting/unread_text.h"
#include "app/document/words/remap_cells.h"
#include "app/translation/words.h"

namespace lab {

using attention::Index;
using attention::Limits;
using attention::SharedMatrix;

namespace {

using Tokens = std::vector<Token>;

void embed(SharedMatrix& rows, attention::Matrix values) {
  if (!same_numbers(values, *rows)) rows = SharedMatrix(std::move(values));
}

// The words of `line` as the sentence that was split has them. A word that is spelt as it was keeps
// its key; a new one has that of its token.
Tokens placed(const TokenLine& line, const Tokens& split) {
  const Tokens remapped = tokens_of(line);
  Tokens tokens = split;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool is_new = remapped[i].key == remapped[i].text;
    if (!is_new && tokens[i].text == remapped[i].text) tokens[i].key = remapped[i].key;
  }
  return tokens;
}

// The words of the second sentence. Its new ones are those of the first sentence where they share
// their vectors; when it begins, all of its words are new.
Tokens second_tokens(Tokens tokens, const Document& document, bool begins) {
  if (!document.shared_tokens) {
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

// The tokens of the longest sentence of a batch, of which one has `own`.
std::size_t longest_sentence(const Batch& batch, std::vector<Token> BatchSentence::*tokens,
                             std::size_t own) {
  std::size_t longest = own;
  for (std::size_t i = 0; i < batch.sentences.size(); ++i)
    if (i != batch.current) longest = std::max(longest, (batch.sentences[i].*tokens).size());
  return longest;
}

// Filled up to the longest sentence, where sentences are padded.
Tokens padded(const Batch& batch, std::vector<Token> BatchSentence::*which, Tokens tokens) {
  if (!batch.padded || tokens.empty()) return tokens;
  tokens = without_padding(batch, std::move(tokens));
  tokens.resize(longest_sentence(batch, which, tokens.size()),
                Token{.text = kPadding, .key = kPadding});
  return tokens;
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

// Gives the tokens of a sentence that is split anew the vectors that their words had as `before`.
// `row_of` is the vector of a key.
template <typename RowOf>
std::shared_ptr<const Lexicon> with_rows_of_words(const std::shared_ptr<const Lexicon>& lexicon,
                                                  const Tokens& before, const Tokens& now,
                                                  const RowOf& row_of) {
  std::map<std::string_view, const Token*> known;
  for (const Token& token : before) known.emplace(followed_token(token), &token);
  Lexicon all = *lexicon;
  for (const Token& token : now) {
    const auto word = known.find(followed_token(token));
    if (word == known.end() || word->second->key == token.key) continue;
    if (const auto row = row_of(word->second->key)) all.emplace(token.key, *row);
  }
  return all.size() == lexicon->size() ? lexicon : std::make_shared<const Lexicon>(std::move(all));
}

// True when the first sentence has a vector for that word.
bool is_in_first(const Document& document, const std::string& key) {
  return document.lexicon->contains(key) ||
         std::ranges::find(document.tokens, key, &Token::key) != document.tokens.end();
}

// Another scale of new words; the words that are there keep their vectors.
Expected<Document> with_new_token_scale(Document changed, float scale) {
  if (same_number(scale, changed.new_token_scale)) return changed;
  if (!is_new_token_scale(scale)) {
    return fail(
        ErrorType::kBadInput,
        tr("a scale of {} cannot be used: it must be between 0.001 and 1,000", {shortest(scale)}));
  }
  changed.lexicon = with_every_row(changed.lexicon, changed.tokens, *changed.problem.embedding);
  Lexicon kv_lexicon = *changed.kv_lexicon;
  for (std::size_t i = 0; i < changed.kv_tokens.size(); ++i) {
    const std::string& key = changed.kv_tokens[i].key;
    const auto row = changed.problem.embedding_kv->row(static_cast<Index>(i));
    if (!changed.shared_tokens || !changed.lexicon->contains(key)) kv_lexicon.emplace(key, row);
  }
  if (kv_lexicon.size() != changed.kv_lexicon->size())
    changed.kv_lexicon = std::make_shared<const Lexicon>(std::move(kv_lexicon));
  changed.new_token_scale = scale;
  return changed;
}

// Both sentences: what is still a whole word keeps its vector.
void keep_vectors(Document& changed, const Tokens& first, const Tokens& second) {
  using Row = std::optional<attention::RowVector>;
  const Document before = changed;
  Tokens words = before.tokens, pieces = first;
  if (before.shared_tokens) {
    words.insert(words.end(), before.kv_tokens.begin(), before.kv_tokens.end());
    pieces.insert(pieces.end(), second.begin(), second.end());
  }
  changed.lexicon =
      with_rows_of_words(before.lexicon, words, pieces,
                         [&](const std::string& key) -> Row { return embedding_row(before, key); });
  changed.kv_lexicon = with_rows_of_words(
      before.kv_lexicon, before.kv_tokens, second, [&](const std::string& key) -> Row {
        const auto stored = before.kv_lexicon->find(key);
        return stored == before.kv_lexicon->end() ? Row() : stored->second;
      });
}

std::set<std::string_view> words_between_blanks(std::string_view text) {
  std::set<std::string_view> words;
  for (std::string_view rest = trimmed(text); !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    words.insert(word);
    rest = trimmed(rest.substr(word.size()));
  }
  return words;
}

// True when `now` keeps no word of `was`, or neither the beginning nor the end of its only one.
bool is_another_sentence(std::string_view was, std::string_view now) {
  const auto old_words = words_between_blanks(was), words = words_between_blanks(now);
  if (old_words.size() > 1)
    return std::ranges::none_of(words, [&](auto word) { return old_words.contains(word); });
  was = trimmed(was), now = trimmed(now);
  return !was.empty() && !now.empty() && was.front() != now.front() && was.back() != now.back();
}

}  // namespace

Expected<std::vector<Token>> split_within_limits(const std::string& text,
                                                 const Splitting& splitting) {
  if (text.size() > kLongestSentence) {
    return fail(ErrorType::kBadInput,
                tr("a sentence of {} bytes is longer than the {} that fit; shorten the sentence",
                   {grouped(static_cast<Index>(text.size())), grouped(Index{kLongestSentence})}));
  }
  auto tokens = split_sentence(text, splitting);
  if (!tokens) return tokens;
  const auto count = std::ssize(*tokens);
  if (count == 0) {
    return fail(ErrorType::kBadInput, no_token_text(text, splitting));
  }
  if (count > Limits::kSeqLen) {
    return fail(ErrorType::kBadInput,
                tr("{} tokens are more than the {} that fit; shorten the sentence",
                   {grouped(count), grouped(Limits::kSeqLen)}));
  }
  return tokens;
}

Expected<Document> with_tokens(Document changed, const Tokens& given_first,
                               const Tokens& given_second) {
  attention::Problem& problem = changed.problem;
  const Tokens first = padded(changed.batch, &BatchSentence::tokens, given_first);
  const Tokens second = padded(changed.batch, &BatchSentence::kv_tokens, given_second);
  const Tokens& keys = second.empty() ? first : second;
  const auto fits = check_scores(problem.config.n_heads, std::ssize(first), std::ssize(keys));
  if (!fits) return tl::make_unexpected(fits.error());
  const FollowedLines words{follow(query_line(changed), followed_tokens(first)),
                            follow(key_line(changed), followed_tokens(keys))};
  changed.tokens = placed(words.queries.line, first);
  embed(problem.embedding, embed_tokens(changed));
  if (second.empty()) {
    changed.kv_tokens.clear();
    problem.embedding_kv = {};
  } else {
    changed.kv_tokens =
        second_tokens(placed(words.keys.line, second), changed, changed.kv_tokens.empty());
    embed(problem.embedding_kv, embed_kv_tokens(changed));
  }
  make_fit(changed, words);
  if (changed.batch.padded) problem.config.mask.key_count = padded_key_count(changed.batch, keys);
  return changed;
}

Expected<Document> reduce(const Document& document, const SetSentence& command) {
  auto scaled =
      with_new_token_scale(document, command.new_token_scale.value_or(document.new_token_scale));
  if (!scaled || command.text == document.sentence) return scaled;
  const auto tokens = split_within_limits(command.text, document.splitting);
  if (!tokens) return tl::make_unexpected(tokens.error());
  Document changed = *std::move(scaled);
  changed.sentence = command.text;
  if (is_another_sentence(document.sentence, command.text)) changed.title.clear();
  return with_tokens(std::move(changed), *tokens, document.kv_tokens);
}

Expected<Document> reduce(const Document& document, const SetKvSentence& command) {
  auto scaled =
      with_new_token_scale(document, command.new_token_scale.value_or(document.new_token_scale));
  const bool requested = !command.text.empty(), there = !document.kv_tokens.empty();
  if (!scaled || (command.text == document.kv_sentence && requested == there)) return scaled;
  const Expected<Tokens> tokens =
      requested ? split_within_limits(command.text, document.splitting) : Tokens();
  if (!tokens) return tl::make_unexpected(tokens.error());
  Document changed = *std::move(scaled);
  changed.kv_sentence = command.text;
  return with_tokens(std::move(changed), document.tokens, *tokens);
}

Expected<Document> reduce(const Document& document, const SetSharedTokens& command) {
  Document changed = document;
  changed.shared_tokens = command.on;
  if (!command.on && document.shared_tokens && document.problem.cross()) {
    changed.kv_lexicon =
        with_every_row(document.kv_lexicon, document.kv_tokens, *document.problem.embedding_kv);
  }
  if (command.on) {
    Lexicon kv_lexicon = *document.kv_lexicon;
    std::erase_if(kv_lexicon, [&](const auto& row) { return is_in_first(document, row.first); });
    if (kv_lexicon.size() != document.kv_lexicon->size())
      changed.kv_lexicon = std::make_shared<const Lexicon>(std::move(kv_lexicon));
  }
  if (document.problem.cross()) embed(changed.problem.embedding_kv, embed_kv_tokens(changed));
  return changed;
}

namespace {

// Splits the sentences of a batch that are not shown anew; whole words keep their vectors.
Expected<void> split_others(Document& changed) {
  for (std::size_t i = 0; i < changed.batch.sentences.size(); ++i) {
    if (i == changed.batch.current) continue;
    BatchSentence& other = changed.batch.sentences[i];
    auto first = split_within_limits(other.text, changed.splitting);
    if (!first) return tl::make_unexpected(first.error());
    Expected<Tokens> second =
        other.kv_tokens.empty() ? Tokens() : split_within_limits(other.kv_text, changed.splitting);
    if (!second) return tl::make_unexpected(second.error());
    changed.lexicon = with_rows_of_words(
        changed.lexicon, other.tokens, *first,
        [&](const std::string& key) { return std::optional(embedding_row(changed, key)); });
    other.tokens = *std::move(first);
    other.kv_tokens = *std::move(second);
  }
  return {};
}

}  // namespace

Expected<Document> reduce(const Document& document, const SetTokenMode& command) {
  if (command.mode == TokenMode::kTokenizer && command.tokenizer.name.empty())
    return fail(ErrorType::kBadInput, tr("Splitting by a tokenizer needs the name of one."));
  Splitting splitting{
      command.mode, {}, command.special_tokens.value_or(document.splitting.special_tokens)};
  if (command.mode == TokenMode::kTokenizer) splitting.tokenizer = command.tokenizer;
  const bool is_open = splitting.tokenizer.opened == document.splitting.tokenizer.opened;
  if (splitting == document.splitting && is_open) return document;
  const bool cross = !document.kv_tokens.empty();
  const auto first = split_within_limits(document.sentence, splitting);
  if (!first) return tl::make_unexpected(first.error());
  const Expected<Tokens> second =
      cross ? split_within_limits(document.kv_sentence, splitting) : Tokens();
  if (!second) return tl::make_unexpected(second.error());
  auto scaled =
      with_new_token_scale(document, command.new_token_scale.value_or(document.new_token_scale));
  if (!scaled) return scaled;
  Document changed = *std::move(scaled);
  changed.splitting = std::move(splitting);
  keep_vectors(changed, *first, *second);
  if (auto others = split_others(changed); !others) return tl::make_unexpected(others.error());
  return with_tokens(std::move(changed), *first, *second);
}

}  // namespace lab
