#include "app/document/stage_labels.h"

namespace lab {

using attention::Index;
using attention::Stage;

namespace {

template <typename Label>
std::vector<std::string> labels_of(Index count, const Label& label) {
  std::vector<std::string> labels;
  labels.reserve(static_cast<std::size_t>(count));
  for (Index i = 0; i < count; ++i) labels.push_back(label(i));
  return labels;
}

}  // namespace

std::vector<std::string> row_labels(const Document& document, Stage stage) {
  const Index count = stage_shape(document.problem, stage).rows;
  return labels_of(count, [&](Index i) { return row_label(document, stage, i); });
}

std::vector<std::string> column_labels(const Document& document, Stage stage, Index count) {
  return labels_of(count, [&](Index j) { return column_label(document, stage, j); });
}

}  // namespace lab
