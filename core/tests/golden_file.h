#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/problem.h"

namespace attention::test {

/// A tensor as stored in a file: its shape and its numbers in row-major order.
struct Tensor {
  std::vector<Index> shape;
  std::vector<float> values;

  /// Number of matrices when the last two dimensions are rows and columns.
  Index count() const;
  /// Matrix `i` of those; a one-dimensional tensor is a single row.
  Matrix matrix(Index i) const;
};

/// The tensors and the string metadata of one safetensors file.
struct GoldenFile {
  std::map<std::string, Tensor> tensors;
  std::map<std::string, std::string> metadata;
};

/// Reads golden/`name`.safetensors; F32 and U8. Throws std::runtime_error when it cannot.
GoldenFile read_golden(const std::string& name);

/// The problem that a file NAME.problem holds: its tensors, and its switches as string metadata.
Problem problem_of(const GoldenFile& file);

}  // namespace attention::test
