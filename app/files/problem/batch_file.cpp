#include "app/files/problem/batch_file.h"

#include <algorithm>

#include "app/base/bad_input.h"
#include "app/document/batch/sentences.h"
#include "app/files/problem/problem_metadata.h"
#include "app/files/problem/problem_reading.h"
#include "app/files/session/token_keys.h"
#include "app/files/tensors/elements.h"

namespace lab::files {
namespace {

using attention::Index;
using attention::Matrix;
using Labels = std::vector<std::vector<std::string>>;

// The labels of each sentence, and with them its length.
struct BatchLabels {
  Labels queries, keys;  // no keys in self-attention
};

Index count_of(const TensorFile& file) { return file.find("X")->shape[0]; }

// --- one sentence of the tensors

// The part of a tensor that is `sentence`'s; what has no sentences is of all.
Tensor slice_of(const Tensor& tensor, Index sentence) {
  if (tensor.shape.size() < 3) return tensor;
  const Index size = tensor.shape[1] * tensor.shape[2];
  const auto begin = tensor.values.begin() + sentence * size;
  return {tensor.name, {tensor.shape[1], tensor.shape[2]}, {begin, begin + size}};
}

// Its first rows and columns.
Tensor cut(const Tensor& tensor, Index rows, Index cols) {
  Tensor slice{tensor.name, {rows, cols}, {}};
  for (Index i = 0; i < rows; ++i) {
    const auto begin = tensor.values.begin() + i * tensor.shape[1];
    slice.values.insert(slice.values.end(), begin, begin + cols);
  }
  return slice;
}

// Adds what `sentence` has of that tensor, if there is one.
void add_slice(const TensorFile& file, const char* name, Index sentence, Index rows, Index cols,
               TensorFile& slice) {
  const Tensor* tensor = file.find(name);
  if (tensor == nullptr) return;
  const Tensor own = slice_of(*tensor, sentence);
  const bool fits = own.shape.size() == 2 && own.shape[0] >= rows && own.shape[1] >= cols;
  slice.tensors.push_back(fits ? cut(own, rows, cols) : own);  // the reader says what does not fit
}

TensorFile sentence_of(const TensorFile& file, Index sentence, const BatchLabels& labels) {
  const auto& queries = labels.queries[static_cast<std::size_t>(sentence)];
  const auto& keys =
      labels.keys.empty() ? queries : labels.keys[static_cast<std::size_t>(sentence)];
  const Index d_model = file.find("X")->shape[2], rows = std::ssize(queries),
              cols = std::ssize(keys);
  TensorFile slice{{}, file.metadata};
  slice.metadata["tokens"] = labels_text(queries);
  if (!labels.keys.empty()) slice.metadata["kv_tokens"] = labels_text(keys);
  add_slice(file, "X", sentence, rows, d_model, slice);
  add_slice(file, "X_kv", sentence, cols, d_model, slice);
  add_slice(file, "mask", sentence, rows, cols, slice);
  add_slice(file, "bias", sentence, rows, cols, slice);
  return slice;
}

BatchLabels labels_of(const TensorFile& file) {
  const Index count = count_of(file);
  BatchLabels labels;
  labels.queries = read_batch_labels(file.metadata, "tokens", count, file.find("X")->shape[1]);
  const Tensor* X_kv = file.find("X_kv");
  if (X_kv != nullptr)
    labels.keys = read_batch_labels(file.metadata, "kv_tokens", count, X_kv->shape[1]);
  return labels;
}

// --- the same for all sentences

bool is_below_diagonal(const Matrix& allowed) {
  for (Index i = 0; i < allowed.rows(); ++i)
    for (Index j = i + 1; j < allowed.cols(); ++j)
      if (allowed(i, j) != 0) return false;
  return true;
}

// True when the rule would forbid nothing that the painted mask of that sentence allows.
bool could_be_causal(const attention::Problem& problem) {
  if (problem.config.mask.causal || problem.kv_len() == 1) return true;
  return !problem.allowed.empty() && is_below_diagonal(*problem.allowed);
}

void paint_causal(attention::Problem& problem) {
  if (!problem.config.mask.causal) return;
  Matrix allowed = Matrix::Ones(problem.seq_len(), problem.kv_len());
  for (Index i = 0; i < allowed.rows(); ++i)
    for (Index j = i + 1; j < allowed.cols(); ++j) allowed(i, j) = 0;
  problem.allowed = attention::SharedMatrix(std::move(allowed));
  problem.config.mask.causal = false;
}

// A mask that was read as a rule is one only if it is that of every sentence.
void share_causal_rule(std::vector<Document>& sentences) {
  const auto is_causal = [](const Document& one) { return one.problem.config.mask.causal; };
  const bool some = std::ranges::any_of(sentences, is_causal);
  const bool all = some && std::ranges::all_of(sentences, could_be_causal, &Document::problem);
  for (Document& one : sentences) {
    if (all)
      one.problem.config.mask.causal = true;
    else
      paint_causal(one.problem);
  }
}

// Gives equal words with different vectors keys of their own, over all sentences.
void share_lexicon(std::vector<Document>& sentences, std::vector<Token> Document::*tokens,
                   std::shared_ptr<const Lexicon> Document::*lexicon,
                   attention::SharedMatrix attention::Problem::*embedding) {
  std::vector<std::string> texts;
  Index rows = 0;
  for (const Document& one : sentences) rows += std::ssize(one.*tokens);
  Matrix all(rows, sentences.front().problem.config.d_model);
  rows = 0;
  for (const Document& one : sentences) {
    for (const Token& token : one.*tokens) texts.push_back(token.text);
    all.middleRows(rows, std::ssize(one.*tokens)) = *(one.problem.*embedding);
    rows += std::ssize(one.*tokens);
  }
  NamedRows named = name_rows(texts, all);
  const auto shared = std::make_shared<const Lexicon>(std::move(named.lexicon));
  auto next = named.tokens.begin();
  for (Document& one : sentences) {
    for (Token& token : one.*tokens) token = *next++;
    one.*lexicon = shared;
  }
}

// --- checks

void check_batch(const TensorFile& file) {
  const Index count = count_of(file);
  if (count < 1 || count > Index{kMostSentences})
    throw BadInput("tensor \"X\" is " + shape_text(file.find("X")->shape) + "; a batch has 1 … " +
                   std::to_string(kMostSentences) + " sentences");
  for (const char* name : {"X", "X_kv", "mask", "bias"}) {
    const Tensor* tensor = file.find(name);
    const bool one_for_each = tensor == nullptr || tensor->shape.size() != 3 ||
                              (tensor->shape[0] == count && tensor->shape[1] > 0);
    const bool input = tensor != nullptr && name[0] == 'X';
    if (one_for_each && !(input && tensor->shape.size() != 3)) continue;
    throw BadInput("tensor " + in_quotes(name) + " is " + shape_text(tensor->shape) +
                   ", it should have " + std::to_string(count) + " sentences of one token or more");
  }
}

}  // namespace

bool holds_batch(const TensorFile& file) {
  const Tensor* X = file.find("X");
  return X != nullptr && X->shape.size() == 3;
}

Document document_from_batch(const TensorFile& file, std::string title) {
  check_batch(file);
  const Document layer = read_layer(file, std::move(title));
  const BatchLabels labels = labels_of(file);
  std::vector<Document> sentences;
  for (Index i = 0; i < count_of(file); ++i) {
    sentences.push_back(layer);
    read_sentence(sentence_of(file, i, labels), sentences.back());
  }
  share_causal_rule(sentences);
  share_lexicon(sentences, &Document::tokens, &Document::lexicon, &attention::Problem::embedding);
  if (!labels.keys.empty())
    share_lexicon(sentences, &Document::kv_tokens, &Document::kv_lexicon,
                  &attention::Problem::embedding_kv);
  Document first = std::move(sentences.front());
  sentences.erase(sentences.begin());
  auto joined = join_sentences(std::move(first), sentences);
  if (!joined) throw BadInput(joined.error().message);
  return *std::move(joined);
}

}  // namespace lab::files
