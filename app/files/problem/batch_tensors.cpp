#include <algorithm>

#include "app/document/batch/sentences.h"
#include "app/document/commands/reducer.h"
#include "app/files/problem/batch_file.h"
#include "app/files/problem/problem_file.h"
#include "app/files/problem/problem_metadata.h"
#include "app/translation/words.h"
#include "core/layer/evaluator.h"

namespace lab::files {
namespace {

using attention::Index;
using attention::Matrix;
using attention::SharedMatrix;

using Sentences = std::vector<Document>;

// What `member` is of each sentence, in [sentences × rows × cols]; `fill` where a sentence has
// fewer, or none at all.
Tensor stack_of(const char* name, const Sentences& sentences, attention::Shape shape, float fill,
                SharedMatrix attention::Problem::*member) {
  Tensor tensor{name, {std::ssize(sentences), shape.rows, shape.cols}, {}};
  for (const Document& one : sentences) {
    Matrix whole = Matrix::Constant(shape.rows, shape.cols, fill);
    const SharedMatrix& own = one.problem.*member;
    if (!own.empty()) whole.topLeftCorner(own->rows(), own->cols()) = *own;
    tensor.values.insert(tensor.values.end(), whole.data(), whole.data() + whole.size());
  }
  return tensor;
}

Index longest(const Sentences& sentences, Index (attention::Problem::*length)() const) {
  Index most = 0;
  for (const Document& one : sentences) most = std::max(most, (one.problem.*length)());
  return most;
}

// Replaces the tensor of that name, which is of the first sentence, in its place.
void replace(TensorFile& file, Tensor tensor) {
  const auto old = std::ranges::find(file.tensors, tensor.name, &Tensor::name);
  if (old != file.tensors.end())
    *old = std::move(tensor);
  else
    file.tensors.push_back(std::move(tensor));
}

std::string labels_of(const Sentences& sentences, std::vector<Token> Document::*tokens) {
  std::vector<std::vector<std::string>> labels;
  for (const Document& one : sentences) labels.push_back(texts_of(one.*tokens));
  return labels_text(labels);
}

void stack_sentences(const Sentences& sentences, TensorFile& file) {
  const Index d_model = sentences.front().problem.config.d_model;
  const Index rows = longest(sentences, &attention::Problem::seq_len);
  const Index cols = longest(sentences, &attention::Problem::kv_len);
  const auto stack = [&](const char* name, attention::Shape shape, float fill,
                         SharedMatrix attention::Problem::*member) {
    const auto has = [&](const Document& one) { return !(one.problem.*member).empty(); };
    if (std::ranges::any_of(sentences, has))
      replace(file, stack_of(name, sentences, shape, fill, member));
  };
  stack("X", {rows, d_model}, 0, &attention::Problem::embedding);
  stack("X_kv", {cols, d_model}, 0, &attention::Problem::embedding_kv);
  stack("mask", {rows, cols}, 1, &attention::Problem::allowed);
  stack("bias", {rows, cols}, 0, &attention::Problem::bias);
}

// Adds the tensors of one more sentence, which are those of the others, behind theirs.
void append_answer(const TensorFile& answer, TensorFile& all) {
  const bool first = all.tensors.empty();
  for (std::size_t i = 0; i < answer.tensors.size(); ++i) {
    const Tensor& one = answer.tensors[i];
    if (first) {
      all.tensors.push_back({one.name, one.shape, {}});
      all.tensors.back().shape.insert(all.tensors.back().shape.begin(), 0);
    }
    Tensor& stack = all.tensors[i];
    ++stack.shape.front();
    stack.values.insert(stack.values.end(), one.values.begin(), one.values.end());
  }
}

}  // namespace

Expected<Metadata> batch_metadata(const std::vector<Document>& sentences) {
  const auto is_cross = [](const Document& one) { return one.problem.cross(); };
  if (std::ranges::count_if(sentences, is_cross) % std::ssize(sentences) != 0)
    return fail(ErrorType::kBadInput,
                tr("some of the sentences have a second one and some have not"));
  Metadata metadata = problem_metadata(sentences.front());
  metadata.erase("overrides");
  metadata["tokens"] = labels_of(sentences, &Document::tokens);
  if (is_cross(sentences.front()))
    metadata["kv_tokens"] = labels_of(sentences, &Document::kv_tokens);
  return metadata;
}

Expected<TensorFile> batch_tensors(const Document& document) {
  const auto sentences = all_sentences(document);
  if (!sentences) return tl::make_unexpected(sentences.error());
  auto metadata = batch_metadata(*sentences);
  if (!metadata) return tl::make_unexpected(metadata.error());
  TensorFile file = problem_tensors(sentences->front());
  file.metadata = std::move(*metadata);
  stack_sentences(*sentences, file);
  return file;
}

Expected<TensorFile> batch_answer(const Document& document) {
  const auto alone = all_sentences(document);
  if (!alone) return tl::make_unexpected(alone.error());
  auto metadata = batch_metadata(*alone);
  if (!metadata) return tl::make_unexpected(metadata.error());
  const auto padded = apply(document, SetPadding{true});
  if (!padded) return tl::make_unexpected(padded.error());
  attention::Evaluator evaluator;
  TensorFile all{{}, std::move(*metadata)};
  for (std::size_t i = 0; i < alone->size(); ++i) {
    const auto one = apply(*padded, GoToSentence{static_cast<int>(i)});
    if (!one) return tl::make_unexpected(one.error());
    append_answer(answer_tensors(*one, evaluator.evaluate(one->problem)), all);
  }
  return all;
}

}  // namespace lab::files
