#include <cmath>

#include "app/document/reduce.h"

// Masks by rule and cell by cell, and what is added to the scores.

namespace lab {

using attention::Index;
using attention::Matrix;
using attention::Shape;
using attention::SharedMatrix;

namespace {

Shape pairs_of(const attention::Problem& problem) { return {problem.seq_len(), problem.kv_len()}; }

// `matrix` with one number changed; where it was absent it held `usual` throughout, and where it
// does again it is absent again. Nothing when the number is there already.
std::optional<SharedMatrix> with_number(const SharedMatrix& matrix, Shape shape, Index row,
                                        Index col, float value, float usual) {
  const float shown = matrix.empty() ? usual : (*matrix)(row, col);
  if (same_number(shown, value)) return std::nullopt;
  Matrix values = matrix.empty() ? Matrix::Constant(shape.rows, shape.cols, usual) : *matrix;
  values(row, col) = value;
  if (same_numbers(values, Matrix::Constant(shape.rows, shape.cols, usual))) return SharedMatrix();
  return SharedMatrix(std::move(values));
}

// `matrix` with every number `value`; absent when that is `usual`. Nothing when it is so already.
std::optional<SharedMatrix> filled_with(const SharedMatrix& matrix, Shape shape, float value,
                                        float usual) {
  if (same_number(value, usual)) {
    return matrix.empty() ? std::nullopt : std::optional(SharedMatrix());
  }
  Matrix values = Matrix::Constant(shape.rows, shape.cols, value);
  if (same_numbers(values, *matrix)) return std::nullopt;
  return SharedMatrix(std::move(values));
}

Expected<Document> with_matrix(const Document& document, SharedMatrix attention::Problem::*which,
                               std::optional<SharedMatrix> matrix) {
  if (!matrix) return document;
  Document changed = document;
  changed.problem.*which = std::move(*matrix);
  return changed;
}

}  // namespace

Expected<Document> reduce(const Document& document, const SetMask& command) {
  return with_config(document, [&](attention::Config& config) {
    config.mask.causal = command.causal.value_or(config.mask.causal);
    config.mask.key_count = command.key_count.value_or(config.mask.key_count);
    config.mask.window = command.window.value_or(config.mask.window);
  });
}

Expected<Document> reduce(const Document& document, const SetMaskCell& command) {
  const Shape shape = pairs_of(document.problem);
  if (auto there = check_place("the mask", shape, command.row, command.col); !there) {
    return tl::make_unexpected(there.error());
  }
  return with_matrix(document, &attention::Problem::allowed,
                     with_number(document.problem.allowed, shape, command.row, command.col,
                                 command.allowed ? 1.0f : 0.0f, 1));
}

Expected<Document> reduce(const Document& document, const FillMask& command) {
  return with_matrix(document, &attention::Problem::allowed,
                     filled_with(document.problem.allowed, pairs_of(document.problem),
                                 command.allowed ? 1.0f : 0.0f, 1));
}

Expected<Document> reduce(const Document& document, const SetBiasCell& command) {
  const Shape shape = pairs_of(document.problem);
  if (auto there = check_place("the score bias", shape, command.row, command.col); !there) {
    return tl::make_unexpected(there.error());
  }
  if (auto fits = check_score(command.value); !fits) return tl::make_unexpected(fits.error());
  return with_matrix(
      document, &attention::Problem::bias,
      with_number(document.problem.bias, shape, command.row, command.col, command.value, 0));
}

Expected<Document> reduce(const Document& document, const FillBias& command) {
  if (auto fits = check_score(command.value); !fits) return tl::make_unexpected(fits.error());
  return with_matrix(
      document, &attention::Problem::bias,
      filled_with(document.problem.bias, pairs_of(document.problem), command.value, 0));
}

}  // namespace lab
