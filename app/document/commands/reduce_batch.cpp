#include <algorithm>
#include <utility>

#include "app/document/batch/sentence_list.h"
#include "app/document/batch/sentences.h"
#include "app/document/commands/reduce.h"
#include "app/translation/words.h"

namespace lab {
namespace {

using Tokens = std::vector<Token>;

// What a sentence is while another one is shown.
struct LeftSentence {
  BatchSentence sentence;
  Document document;  // with nothing that belongs to its words
};

Expected<LeftSentence> leave(const Document& document) {
  BatchSentence left{document.sentence,
                     document.kv_sentence,
                     without_padding(document.batch, document.tokens),
                     without_padding(document.batch, document.kv_tokens),
                     {}};
  Document without = document;
  without.batch.padded = false;
  const Tokens second = document.kv_tokens.empty() ? Tokens() : Tokens{no_sentence()};
  auto away = with_tokens(std::move(without), {no_sentence()}, second);
  if (!away) return tl::make_unexpected(away.error());
  left.detached = std::exchange(away->detached, nothing_detached());
  away->batch.padded = document.batch.padded;
  return LeftSentence{std::move(left), *std::move(away)};
}

// The tokens that were kept; those of a new sentence are not there yet.
Expected<Tokens> tokens_of_sentence(const std::string& text, const Tokens& kept,
                                    const Splitting& splitting) {
  if (!kept.empty() || text.empty()) return kept;
  return split_within_limits(text, splitting);
}

// Shows `sentence`, which is number `number` of the batch.
Expected<Document> enter(Document away, BatchSentence sentence, std::size_t number) {
  const auto first = tokens_of_sentence(sentence.text, sentence.tokens, away.splitting);
  if (!first) return tl::make_unexpected(first.error());
  const auto second = tokens_of_sentence(sentence.kv_text, sentence.kv_tokens, away.splitting);
  if (!second) return tl::make_unexpected(second.error());
  away.sentence = std::move(sentence.text);
  away.kv_sentence = std::move(sentence.kv_text);
  away.detached = std::move(sentence.detached);
  away.batch.current = number;
  if (number < away.batch.sentences.size()) away.batch.sentences[number] = {};
  return with_tokens(std::move(away), *first, *second);
}

}  // namespace

Expected<Document> reduce(const Document& document, const AddSentence& command) {
  const std::size_t count = sentence_count(document);
  if (auto room = check_room_for_sentence(count); !room) return tl::make_unexpected(room.error());
  auto left = leave(document);
  if (!left) return tl::make_unexpected(left.error());
  Batch& batch = left->document.batch;
  batch.sentences.resize(count);
  batch.sentences[batch.current] = std::move(left->sentence);
  const std::size_t number = batch.current + 1;
  batch.sentences.insert(batch.sentences.begin() + static_cast<std::ptrdiff_t>(number),
                         BatchSentence());
  return enter(std::move(left->document),
               {command.text, document.kv_sentence, {}, without_padding(batch, document.kv_tokens)},
               number);
}

Expected<Document> reduce(const Document& document, const RemoveSentence&) {
  if (auto several = check_several_sentences(sentence_count(document)); !several)
    return tl::make_unexpected(several.error());
  auto left = leave(document);
  if (!left) return tl::make_unexpected(left.error());
  Batch& batch = left->document.batch;
  batch.sentences.erase(batch.sentences.begin() + static_cast<std::ptrdiff_t>(batch.current));
  const std::size_t next = std::min(batch.current, batch.sentences.size() - 1);
  BatchSentence shown = batch.sentences[next];
  if (batch.sentences.size() == 1) batch.sentences.clear();
  return enter(std::move(left->document), std::move(shown), batch.sentences.empty() ? 0 : next);
}

Expected<Document> reduce(const Document& document, const GoToSentence& command) {
  if (auto there = check_sentence(command.sentence, sentence_count(document)); !there)
    return tl::make_unexpected(there.error());
  const auto number = static_cast<std::size_t>(command.sentence);
  if (number == document.batch.current) return document;
  auto left = leave(document);
  if (!left) return tl::make_unexpected(left.error());
  Batch& batch = left->document.batch;
  batch.sentences[batch.current] = std::move(left->sentence);
  BatchSentence shown = batch.sentences[number];
  return enter(std::move(left->document), std::move(shown), number);
}

Expected<Document> reduce(const Document& document, const SetPadding& command) {
  if (command.on == document.batch.padded) return document;
  Document changed = document;
  int& key_count = changed.problem.config.mask.key_count;
  const Tokens first = without_padding(document.batch, document.tokens);
  const Tokens second = without_padding(document.batch, document.kv_tokens);
  if (command.on)
    changed.batch.key_count = key_count;
  else
    key_count = std::exchange(changed.batch.key_count, 0);
  changed.batch.padded = command.on;
  return with_tokens(std::move(changed), first, second);
}

Expected<std::vector<Document>> all_sentences(const Document& document) {
  auto alone = reduce(document, SetPadding{false});
  if (!alone) return tl::make_unexpected(alone.error());
  std::vector<Document> all;
  const std::size_t count = std::max<std::size_t>(1, document.batch.sentences.size());
  for (std::size_t i = 0; i < count; ++i) {
    auto one = reduce(*alone, GoToSentence{static_cast<int>(i)});
    if (!one) return tl::make_unexpected(one.error());
    one->batch = {};
    all.push_back(*std::move(one));
  }
  return all;
}

Document seen_as(const Document& document, const Batch& batch) {
  if (document.batch.sentences.size() != batch.sentences.size()) return document;
  auto at_sentence = reduce(document, GoToSentence{static_cast<int>(batch.current)});
  if (at_sentence) at_sentence = reduce(*at_sentence, SetPadding{batch.padded});
  return at_sentence.value_or(document);
}

Expected<Document> join_sentences(Document first, const std::vector<Document>& others) {
  if (others.empty()) return first;
  first.batch.sentences.resize(1);
  for (const Document& other : others) {
    auto left = leave(other);
    if (!left) return tl::make_unexpected(left.error());
    first.batch.sentences.push_back(std::move(left->sentence));
  }
  return first;
}

Expected<Document> reduce(const Document& /*document*/, const SetChat& /*command*/) {
  return fail(ErrorType::kBadInput, tr("only a trained model can have a chat template"));
}

}  // namespace lab
