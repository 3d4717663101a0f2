#pragma once

#include <cstddef>

// Plain structs only: the kernels are compiled for several instruction sets in one program, and
// what they share with the rest must not depend on how it was compiled.

namespace attention {

/// A block of row-major numbers to read: row i starts at data + i · stride.
struct ConstBlock {
  const float* data;
  std::ptrdiff_t rows, cols, stride;
};

/// The same, for writing.
struct Block {
  float* data;
  std::ptrdiff_t rows, cols, stride;
};

/// How numbers are stored: the formats of that name in stored_format.h.
enum class Packing { kFloat32, kFloat16, kBFloat16, kQ4_0, kQ4_1, kQ8_0, kQ4_K, kQ6_K };

/// Rows of stored numbers to read, `cols` in each, which are whole blocks: row i starts at data +
/// i · stride, in bytes.
struct PackedRows {
  Packing packing;
  const unsigned char* data;
  std::ptrdiff_t rows, cols, stride;
};

/// With at most this many rows, a product takes less time than its other operand takes to come from
/// memory.
constexpr std::ptrdiff_t kFewRows = 32;

/// The performance-critical loops, compiled for one instruction set. Shapes are not checked; a
/// result depends only on its operands and the shapes, not on the thread.
struct Kernels {
  const char* instruction_set;  ///< "AVX-512", "AVX2", "SSE2" or "scalar"
  /// out = a b + bias: [n × k] · [k × m] → [n × m]; `bias` is m numbers, or null for none.
  void (*multiply)(ConstBlock a, ConstBlock b, const float* bias, Block out);
  /// out += a b.
  void (*multiply_add)(ConstBlock a, ConstBlock b, Block out);
  /// out = a bᵀ: [n × k] · [m × k] → [n × m].
  void (*multiply_transposed)(ConstBlock a, ConstBlock b, Block out);
  /// out = aᵀ b: [k × n]ᵀ · [k × m] → [n × m].
  void (*multiply_left_transposed)(ConstBlock a, ConstBlock b, Block out);
  /// result[i] = x · row i, for a row x of `cols` numbers; the rows are read where they are.
  void (*multiply_packed)(const float* x, const PackedRows& rows, float* result);
  /// out = factor · in.
  void (*scale)(ConstBlock in, float factor, Block out);
  /// Softmax of each row and `sink`, see softmax_rows().
  void (*softmax)(ConstBlock scores, float sink, Block weights);
};

/// `own` with large products computed by oneDNN, which is faster there. `own` must outlive the
/// result. May be called once.
Kernels with_onednn(const Kernels& own);

/// "oneDNN 2.6.3": the version that is in use.
const char* onednn_version();

}  // namespace attention
