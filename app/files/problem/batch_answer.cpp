#include "app/files/problem/batch_answer.h"

#include "app/document/batch/sentences.h"
#include "app/document/commands/reducer.h"
#include "app/files/problem/problem_file.h"
#include "app/files/problem/problem_metadata.h"
#include "app/translation/words.h"
#include "core/layer/evaluator.h"

namespace lab::files {
namespace {

// Adds the tensors of one more sentence behind those that are there.
Expected<void> append_answer(const TensorFile& answer, TensorFile& all) {
  const bool first = all.tensors.empty();
  if (!first && all.tensors.size() != answer.tensors.size())
    return fail(ErrorKind::kBadInput,
                tr("some of the sentences have a second one and some have not"));
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
  return {};
}

void add_labels(const std::vector<Document>& sentences, TensorFile& all) {
  std::vector<std::vector<std::string>> tokens, kv_tokens;
  for (const Document& one : sentences) {
    tokens.push_back(texts_of(one.tokens));
    if (one.problem.cross()) kv_tokens.push_back(texts_of(one.kv_tokens));
  }
  all.metadata["tokens"] = labels_text(tokens);
  if (!kv_tokens.empty()) all.metadata["kv_tokens"] = labels_text(kv_tokens);
}

}  // namespace

Expected<TensorFile> batch_answer(const Document& document) {
  const auto alone = all_sentences(document);
  if (!alone) return tl::make_unexpected(alone.error());
  const auto padded = apply(document, SetPadding{true});
  if (!padded) return tl::make_unexpected(padded.error());
  attention::Evaluator evaluator;
  TensorFile all{{}, problem_metadata(alone->front())};
  all.metadata.erase("overrides");
  for (std::size_t i = 0; i < alone->size(); ++i) {
    const auto one = apply(*padded, GoToSentence{static_cast<int>(i)});
    if (!one) return tl::make_unexpected(one.error());
    const TensorFile answer = answer_tensors(*one, evaluator.evaluate(one->problem));
    if (auto fits = append_answer(answer, all); !fits) return tl::make_unexpected(fits.error());
  }
  add_labels(*alone, all);
  return all;
}

}  // namespace lab::files
