#include "app/files/problem/batch_answer.h"

#include "app/document/batch/sentences.h"
#include "app/document/commands/reducer.h"
#include "app/files/problem/batch_file.h"
#include "app/files/problem/problem_file.h"
#include "core/layer/evaluator.h"

namespace lab::files {
namespace {

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
