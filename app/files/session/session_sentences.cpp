#include "app/files/session/session_sentences.h"

#include <algorithm>

#include "app/base/bad_input.h"
#include "app/base/strict_json.h"
#include "app/files/session/detached_json.h"
#include "app/files/session/json_reading.h"
#include "app/files/session/session_splitting.h"
#include "app/files/session/token_keys.h"

namespace lab::files {
namespace {

using attention::Index;
using attention::Limits;
using attention::SharedMatrix;
using nlohmann::json;

constexpr std::size_t kLongestSentence = std::size_t{1} << 20;

// The names of the members of one sentence.
struct Names {
  const char* sentence;
  const char* tokens;
  const char* embedding;
};
constexpr Names kQueries{"sentence", "tokens", "embedding"};
constexpr Names kKeys{"kv_sentence", "kv_tokens", "kv_embedding"};

std::vector<Token> cut(const Names& names, const std::string& sentence,
                       const Splitting& splitting) {
  auto tokens = split_sentence(sentence, splitting);
  if (!tokens) wrong(names.sentence, tokens.error().message);
  return *std::move(tokens);
}

std::vector<Token> read_tokens(const json& root, const Names& names, const std::string& sentence,
                               const Splitting& splitting) {
  const json* list = find(root, names.tokens);
  std::vector<Token> tokens =
      list ? read_token_list(*list, names.tokens, sentence) : cut(names, sentence, splitting);
  const char* path = list ? names.tokens : names.sentence;
  if (tokens.empty()) wrong(path, "there is no token; at least one word is needed");
  if (tokens.size() > std::size_t{Limits::kSeqLen})
    wrong(path, std::to_string(tokens.size()) + " tokens; at most " +
                    std::to_string(Limits::kSeqLen) + " are allowed");
  return tokens;
}

std::string read_text(const json& root, const Names& names) {
  std::string sentence = read_string(require(root, "", names.sentence), names.sentence);
  if (sentence.size() > kLongestSentence)
    wrong(names.sentence, std::to_string(sentence.size()) + " bytes; at most " +
                              std::to_string(kLongestSentence) + " are allowed");
  return sentence;
}

std::shared_ptr<const Lexicon> read_embedding(const json& root, const Names& names, Side d_model) {
  Lexicon lexicon;
  const std::string path = names.embedding;
  const json* object = find(root, names.embedding);
  if (!object) return std::make_shared<const Lexicon>();
  for (const auto& [word, row] : checked_object(*object, path).items())
    lexicon.emplace(word, read_vector(row, path + "[" + in_quotes(word) + "]", d_model));
  return std::make_shared<const Lexicon>(std::move(lexicon));
}

void read_second_sentence(const json& root, Document& document) {
  if (find(root, "X_kv")) wrong("X_kv", "is there beside kv_sentence");
  document.kv_sentence = read_text(root, kKeys);
  document.kv_tokens = read_tokens(root, kKeys, document.kv_sentence, document.splitting);
  document.problem.embedding_kv = SharedMatrix(embed_kv_tokens(document));
}

// Keys without a sentence. A fill takes its number of rows from the labels.
void read_labelled_keys(const json& root, const json& X_kv, Document& document) {
  std::vector<std::string> names;
  const json* labels = find(root, "kv_labels");
  if (labels) names = read_strings(*labels, "kv_labels");
  if (!labels && !X_kv.is_array()) wrong("X_kv", "should be a list of rows, or have kv_labels");
  const std::size_t kv_len = labels ? names.size() : X_kv.size();
  if (kv_len < 1 || kv_len > std::size_t{Limits::kSeqLen})
    wrong(labels ? "kv_labels" : "X_kv",
          std::to_string(kv_len) + " keys, should be 1 … " + std::to_string(Limits::kSeqLen));
  for (std::size_t j = names.size(); j < kv_len; ++j) names.push_back(std::to_string(j));
  document.problem.embedding_kv =
      SharedMatrix(read_matrix(X_kv, "X_kv", {static_cast<Index>(kv_len), "kv_len"},
                               {document.problem.config.d_model, "d_model"}));
  set_kv_tokens(document, names);
}

// A session with a second sentence from before words could be shared does not share them.
void read_new_words(const json& root, Document& document) {
  const json* shared = find(root, "shared_words");
  document.shared_words =
      shared ? read_bool(*shared, "shared_words") : find(root, kKeys.sentence) == nullptr;
  if (const json* scale = find(root, "new_word_scale"))
    document.new_word_scale = read_float(*scale, "new_word_scale");
  if (!is_new_word_scale(document.new_word_scale))
    wrong("new_word_scale", json_text(*find(root, "new_word_scale")) + ", should be 0.001 … 1000");
}

// A document that shows no sentence, which is where what is detached of one can be read.
Document without_sentence(const Document& document) {
  Document empty = document;
  empty.batch = {};
  empty.detached = nothing_detached();
  empty.problem.overrides.clear();
  empty.problem.allowed = empty.problem.bias = {};
  empty.tokens = {no_sentence()};
  empty.problem.embedding = SharedMatrix(embed_tokens(empty));
  if (document.kv_tokens.empty()) return empty;
  empty.kv_tokens = empty.tokens;
  empty.problem.embedding_kv = SharedMatrix(embed_kv_tokens(empty));
  return empty;
}

BatchSentence read_batch_sentence(const json& object, const Document& document) {
  BatchSentence sentence;
  sentence.text = read_text(object, kQueries);
  sentence.tokens = read_tokens(object, kQueries, sentence.text, document.splitting);
  if (find(object, kKeys.sentence)) {
    sentence.kv_text = read_text(object, kKeys);
    sentence.kv_tokens = read_tokens(object, kKeys, sentence.kv_text, document.splitting);
  }
  const json* detached = find(object, "set_aside");
  if (!detached) return sentence;
  Document empty = without_sentence(document);
  read_detached(*detached, empty);
  sentence.detached = empty.detached;
  return sentence;
}

std::vector<BatchSentence> read_batch_sentences(const json& list, std::size_t current,
                                                const Document& document) {
  std::vector<BatchSentence> sentences;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const json& one = checked_object(list[i], indexed("batch.sentences", i));
    sentences.push_back(i == current ? BatchSentence() : read_batch_sentence(one, document));
  }
  return sentences;
}

}  // namespace

SentenceList read_sentence_list(const json& batch) {
  const int current = read_size(require(batch, "batch", "current"), "batch.current");
  const json& list = checked_list(require(batch, "batch", "sentences"), "batch.sentences");
  const std::size_t count = std::max<std::size_t>(1, list.size());
  if (current < 1 || static_cast<std::size_t>(current) > count)
    wrong("batch.current", std::to_string(current) + ", should be 1 … " + std::to_string(count));
  if (list.size() > kMostSentences)
    wrong("batch.sentences", std::to_string(list.size()) + " sentences; at most " +
                                 std::to_string(kMostSentences) + " are allowed");
  return {list, static_cast<std::size_t>(current) - 1};
}

void read_batch(const json& object, Document& document) {
  checked_object(object, "batch");
  const SentenceList list = read_sentence_list(object);
  Batch batch;
  batch.current = list.current;
  batch.sentences = read_batch_sentences(list.sentences, list.current, document);
  if (const json* padded = find(object, "padded"))
    batch.padded = read_bool(*padded, "batch.padded");
  if (const json* count = find(object, "key_count"))
    batch.key_count = read_size(*count, "batch.key_count");
  document.batch = std::move(batch);
}

void read_sentences(const json& root, Document& document) {
  const Side d_model{document.problem.config.d_model, "d_model"};
  document.sentence = read_text(root, kQueries);
  document.splitting = read_splitting(root);
  document.tokens = read_tokens(root, kQueries, document.sentence, document.splitting);
  document.lexicon = read_embedding(root, kQueries, d_model);
  read_new_words(root, document);
  document.problem.embedding = SharedMatrix(embed_tokens(document));
  document.kv_lexicon = read_embedding(root, kKeys, d_model);
  const json* X_kv = find(root, "X_kv");
  if (find(root, kKeys.sentence)) return read_second_sentence(root, document);
  if (find(root, "kv_labels") && !X_kv) wrong("kv_labels", "is there without X_kv");
  if (X_kv) read_labelled_keys(root, *X_kv, document);
}

}  // namespace lab::files
