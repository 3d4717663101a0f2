#include "app/shell/shown_numbers.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "app/document/arrays/rebase.h"
#include "app/document/batch/sentences.h"
#include "app/files/problem/problem_file.h"
#include "app/files/problem/stage_numbers.h"
#include "core/layer/evaluator.h"

namespace lab::shell {
namespace {

using connection::ArrayKind;

// Looking at another sentence edits nothing.
bool is_edited(const Document& document, const Document& base) {
  return !same_document(document, sharing_matrices(seen_as(base, document.batch), document));
}

files::TensorFile tensors_of(const Document& document, ArrayKind kind,
                             const attention::Trace& trace) {
  if (kind == ArrayKind::kWeights)
    return {{files::stage_tensor(document, trace, attention::Stage::kWeights, std::nullopt)}, {}};
  files::TensorFile file = files::answer_tensors(document, trace);
  if (kind != ArrayKind::kLayer) return file;
  for (files::Tensor& tensor : files::problem_tensors(document).tensors)
    if (file.find(tensor.name) == nullptr) file.tensors.push_back(std::move(tensor));
  return file;
}

}  // namespace

nlohmann::json shown_members(const Work& work) {
  const Document& document = work.history.document();
  nlohmann::json members{{"edited", is_edited(document, *work.arrays->base)},
                         {"layer", work.arrays->layer},
                         {"tokens", texts_of(document.tokens)}};
  if (const std::size_t sentences = document.batch.sentences.size(); sentences > 1) {
    members["sentence"] = document.batch.current + 1;
    members["sentences"] = sentences;
  }
  if (document.problem.cross()) members["key_tokens"] = texts_of(document.kv_tokens);
  return members;
}

std::string shown_tensors(const Work& work, ArrayKind kind, const attention::Trace* trace) {
  const Document& document = work.history.document();
  attention::Evaluator evaluator(1);
  const attention::Trace& stages = trace != nullptr ? *trace : evaluator.evaluate(document.problem);
  return files::write_safetensors(tensors_of(document, kind, stages));
}

}  // namespace lab::shell
