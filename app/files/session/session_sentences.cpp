#include "app/files/session/session_sentences.h"

#include <algorithm>

#include "app/files/session/detached_json.h"
#include "app/files/session/matrix_json.h"
#include "app/files/session/session_splitting.h"
#include "app/files/session/token_keys.h"

namespace lab::files {
namespace {

using attention::Index;
using attention::Limits;
using attention::SharedMatrix;

constexpr std::size_t kLongestSentence = std::size_t{1} << 20;

// The names of the members of one sentence.
struct Names {
  const char* sentence;
  const char* tokens;
  const char* embedding;
};
constexpr Names kQueries{"sentence", "tokens", "embedding"};
constexpr Names kKeys{"kv_sentence", "kv_tokens", "kv_embedding"};

std::vector<Token> cut(const JsonCursor& sentence, const std::string& text,
                       const Splitting& splitting) {
  auto tokens = split_sentence(text, splitting);
  if (!tokens) sentence.refuse(tokens.error().message);
  return *std::move(tokens);
}

std::vector<Token> read_tokens(const JsonCursor& root, const Names& names, const std::string& text,
                               const Splitting& splitting) {
  const auto list = root.find(names.tokens);
  const JsonCursor from = list ? *list : root.at(names.sentence);
  std::vector<Token> tokens = list ? read_token_list(*list, text) : cut(from, text, splitting);
  if (tokens.empty()) from.refuse("there is no token; at least one word is needed");
  if (tokens.size() > std::size_t{Limits::kSeqLen})
    from.refuse(std::to_string(tokens.size()) + " tokens; at most " +
                std::to_string(Limits::kSeqLen) + " are allowed");
  return tokens;
}

std::string read_text(const JsonCursor& root, const Names& names) {
  std::string text = root.at(names.sentence).text();
  if (text.size() > kLongestSentence)
    root.at(names.sentence)
        .refuse(std::to_string(text.size()) + " bytes; at most " +
                std::to_string(kLongestSentence) + " are allowed");
  return text;
}

std::shared_ptr<const Lexicon> read_embedding(const JsonCursor& root, const Names& names,
                                              Side d_model) {
  Lexicon lexicon;
  const auto object = root.find(names.embedding);
  if (!object) return std::make_shared<const Lexicon>();
  for (const auto& [word, row] : object->object().value().items())
    lexicon.emplace(word,
                    read_vector({row, object->path() + "[" + in_quotes(word) + "]"}, d_model));
  return std::make_shared<const Lexicon>(std::move(lexicon));
}

void read_second_sentence(const JsonCursor& root, Document& document) {
  if (const auto X_kv = root.find("X_kv")) X_kv->refuse("is there beside kv_sentence");
  document.kv_sentence = read_text(root, kKeys);
  document.kv_tokens = read_tokens(root, kKeys, document.kv_sentence, document.splitting);
  document.problem.embedding_kv = SharedMatrix(embed_kv_tokens(document));
}

// Keys without a sentence. A fill takes its number of rows from the labels.
void read_labelled_keys(const std::optional<JsonCursor>& labels, const JsonCursor& X_kv,
                        Document& document) {
  std::vector<std::string> names;
  if (labels) names = labels->texts();
  if (!labels && !X_kv.value().is_array())
    X_kv.refuse("should be a list of rows, or have kv_labels");
  const std::size_t kv_len = labels ? names.size() : X_kv.value().size();
  if (kv_len < 1 || kv_len > std::size_t{Limits::kSeqLen})
    (labels ? *labels : X_kv)
        .refuse(std::to_string(kv_len) + " keys, should be 1 … " + std::to_string(Limits::kSeqLen));
  for (std::size_t j = names.size(); j < kv_len; ++j) names.push_back(std::to_string(j));
  document.problem.embedding_kv = SharedMatrix(read_matrix(
      X_kv, {static_cast<Index>(kv_len), "kv_len"}, {document.problem.config.d_model, "d_model"}));
  set_kv_tokens(document, names);
}

// A session with a second sentence from before words could be shared does not share them.
void read_new_tokens(const JsonCursor& root, Document& document) {
  document.shared_tokens = !root.has(kKeys.sentence);
  const FieldReader members(root);
  members.may_miss("shared_words", document.shared_tokens);
  members.may_miss("new_word_scale", document.new_token_scale);
  if (!is_new_token_scale(document.new_token_scale))
    root.at("new_word_scale").wrong("0.001 … 1000");
}

// A document that shows no sentence, which is where what is detached of one can be read.
Document without_sentence(const Document& document) {
  Document empty = document;
  empty.batch = {};
  empty.detached = nothing_detached();
  empty.problem.overrides.clear();
  empty.switched_off.overrides.clear();
  empty.problem.allowed = empty.problem.bias = {};
  empty.tokens = {no_sentence()};
  empty.problem.embedding = SharedMatrix(embed_tokens(empty));
  if (document.kv_tokens.empty()) return empty;
  empty.kv_tokens = empty.tokens;
  empty.problem.embedding_kv = SharedMatrix(embed_kv_tokens(empty));
  return empty;
}

// Messages call the members of a sentence as those of the session.
BatchSentence read_batch_sentence(const JsonCursor& object, const Document& document) {
  BatchSentence sentence;
  sentence.text = read_text(object, kQueries);
  sentence.tokens = read_tokens(object, kQueries, sentence.text, document.splitting);
  if (object.has(kKeys.sentence)) {
    sentence.kv_text = read_text(object, kKeys);
    sentence.kv_tokens = read_tokens(object, kKeys, sentence.kv_text, document.splitting);
  }
  const auto detached = object.find("set_aside");
  if (!detached) return sentence;
  Document empty = without_sentence(document);
  read_detached(*detached, empty);
  sentence.detached = empty.detached;
  return sentence;
}

}  // namespace

SentenceList read_sentence_list(const JsonCursor& batch) {
  const JsonCursor current = batch.at("current"), list = batch.at("sentences");
  const int number = current.whole();
  const std::size_t length = list.list().value().size();
  const std::size_t count = std::max<std::size_t>(1, length);
  if (number < 1 || static_cast<std::size_t>(number) > count)
    current.refuse(std::to_string(number) + ", should be 1 … " + std::to_string(count));
  if (length > kMostSentences)
    list.refuse(std::to_string(length) + " sentences; at most " + std::to_string(kMostSentences) +
                " are allowed");
  return {list, static_cast<std::size_t>(number) - 1};
}

void read_batch(const JsonCursor& object, Document& document) {
  const SentenceList list = read_sentence_list(object.object());
  Batch batch;
  batch.current = list.current;
  list.sentences.for_each([&](const JsonCursor& one) {
    const bool shown = batch.sentences.size() == list.current;
    const JsonCursor own(one.object().value());
    batch.sentences.push_back(shown ? BatchSentence() : read_batch_sentence(own, document));
  });
  const FieldReader members(object);
  members.may_miss("padded", batch.padded);
  members.may_miss("key_count", batch.key_count);
  document.batch = std::move(batch);
}

void read_sentences(const JsonCursor& root, Document& document) {
  const Side d_model{document.problem.config.d_model, "d_model"};
  document.sentence = read_text(root, kQueries);
  document.splitting = read_splitting(root);
  document.tokens = read_tokens(root, kQueries, document.sentence, document.splitting);
  document.lexicon = read_embedding(root, kQueries, d_model);
  read_new_tokens(root, document);
  document.problem.embedding = SharedMatrix(embed_tokens(document));
  document.kv_lexicon = read_embedding(root, kKeys, d_model);
  const auto X_kv = root.find("X_kv"), labels = root.find("kv_labels");
  if (root.has(kKeys.sentence)) return read_second_sentence(root, document);
  if (labels && !X_kv) labels->refuse("is there without X_kv");
  if (X_kv) read_labelled_keys(labels, *X_kv, document);
}

}  // namespace lab::files
