#include "app/files/problem/gradient_tensors.h"

#include "app/document/sensitivity/gradient_snapshot.h"
#include "app/files/problem/problem_file.h"

namespace lab::files {

TensorFile gradient_tensors(const Document& document, const attention::LayerGradient& gradient) {
  Snapshot snapshot = gradient_snapshot(document, gradient);
  snapshot.document.problem.allowed = {};
  TensorFile file = problem_tensors(snapshot.document);
  file.metadata.clear();
  for (Tensor& tensor : answer_tensors(document, snapshot.trace).tensors) {
    tensor.name = "stage." + tensor.name;
    file.tensors.push_back(std::move(tensor));
  }
  return file;
}

}  // namespace lab::files
