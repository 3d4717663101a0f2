#include "app/document/matrix_labels.h"

namespace lab {
namespace {

using attention::Index;

// Row i of W_O belongs to one feature of one head's output.
std::string concat_feature(const Document& document, Index i) {
  const int d_v = document.problem.config.d_v;
  return "h" + std::to_string(i / d_v + 1) + "." + std::to_string(i % d_v);
}

}  // namespace

std::string matrix_row_label(const Document& document, MatrixId id, Index i) {
  switch (id) {
    case MatrixId::kX:
    case MatrixId::kMask:
    case MatrixId::kScoreBias:
      return row_label(document, i);
    case MatrixId::kXKv:
      return key_label(document, i);
    case MatrixId::kWO:
      return concat_feature(document, i);
    case MatrixId::kWQ:
    case MatrixId::kWK:
    case MatrixId::kWV:
      return dimension_label(document, i);
    case MatrixId::kPositionTable:
    case MatrixId::kPositionTableKv:
      return std::to_string(i);
    default:
      return std::string(matrix_name(id));
  }
}

std::string matrix_column_label(const Document& document, MatrixId id, Index j) {
  if (id == MatrixId::kMask || id == MatrixId::kScoreBias) return key_label(document, j);
  const bool of_head = is_per_head(id);
  return of_head ? std::to_string(j) : dimension_label(document, j);
}

}  // namespace lab
