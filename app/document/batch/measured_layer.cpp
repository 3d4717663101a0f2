#include "app/document/batch/measured_layer.h"

#include <algorithm>

namespace lab {
namespace {

using attention::Index;
using attention::Matrix;
using attention::SharedMatrix;

Index real_length(const Document& document, const std::vector<Token>& tokens) {
  return std::ssize(without_padding(document.batch, tokens));
}

SharedMatrix first_of(const SharedMatrix& matrix, Index rows, Index cols) {
  if (matrix.empty()) return matrix;
  return SharedMatrix(Matrix(
      matrix->topLeftCorner(std::min(rows, matrix->rows()), std::min(cols, matrix->cols()))));
}

SharedMatrix first_rows(const SharedMatrix& matrix, Index rows) {
  return matrix.empty() ? matrix : first_of(matrix, rows, matrix->cols());
}

}  // namespace

bool ends_with_padding(const Document& document) {
  return real_length(document, document.tokens) < std::ssize(document.tokens) ||
         real_length(document, document.kv_tokens) < std::ssize(document.kv_tokens);
}

MeasuredLayer without_padding(const Document& document, const attention::Trace& trace) {
  const Index rows = real_length(document, document.tokens);
  const Index cols = real_length(document, key_tokens(document));
  MeasuredLayer layer{document.problem, {}};
  layer.problem.embedding = first_rows(layer.problem.embedding, rows);
  layer.problem.embedding_kv = first_rows(layer.problem.embedding_kv, cols);
  std::erase_if(layer.problem.overrides, [&](const attention::Override& cell) {
    return cell.row >= rows;  // those of keys are of no stage that is measured
  });
  for (const auto& head : trace.heads)
    layer.trace.heads.emplace_back().weights = first_of(head.weights, rows, cols);
  layer.trace.concat = first_rows(trace.concat, rows);
  layer.trace.output = first_rows(trace.output, rows);
  return layer;
}

}  // namespace lab
