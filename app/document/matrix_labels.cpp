#include "app/document/matrix_labels.h"

#include "app/document/heads.h"

namespace lab {
namespace {

using attention::Axis;
using attention::Index;

// Row i of W_O belongs to one feature of one head's output.
std::string concat_feature(const Document& document, Index i) {
  const Index d_v = document.problem.config.d_v;
  const Index head = i / d_v + first_head_number(document);
  return "h" + std::to_string(head) + "." + std::to_string(i % d_v);
}

}  // namespace

std::string matrix_row_label(const Document& document, MatrixId id, Index i) {
  switch (attention::matrix_info(id).rows) {
    case Axis::kQueries:
      return row_label(document, i);
    case Axis::kKeys:
      return key_label(document, i);
    case Axis::kConcat:
      return concat_feature(document, i);
    case Axis::kModel:
      return dimension_label(document, i);
    case Axis::kPositions:
      return std::to_string(i);
    default:
      return std::string(matrix_name(id));
  }
}

std::string matrix_column_label(const Document& document, MatrixId id, Index j) {
  const Axis columns = attention::matrix_info(id).cols;
  if (columns == Axis::kKeys) return key_label(document, j);
  const bool of_head = columns == Axis::kKeyFeatures || columns == Axis::kValueFeatures;
  return of_head ? std::to_string(j) : dimension_label(document, j);
}

}  // namespace lab
