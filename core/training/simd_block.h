#pragma once

#include <algorithm>

#include "core/matrix.h"

namespace attention::training {

// Loops over rows in groups of 16 numbers, which compile to vector instructions and add up in an
// order that depends only on the length of the row, not on where it stands in memory.

/// A group of numbers.
constexpr Index kSimdWidth = 16;
using SimdBlock = Eigen::Array<float, kSimdWidth, 1>;

/// A complete group, from number `first` of a row on.
struct WholeBlock {
  Index first;

  /// The numbers of the row at `row` there.
  SimdBlock load(const float* row, float = 0) const {
    return Eigen::Map<const SimdBlock>(row + first);
  }
  /// Writes them.
  void store(const SimdBlock& simd_block, float* row) const {
    Eigen::Map<SimdBlock>(row + first) = simd_block;
  }
  /// With `value` in lanes that the row does not have.
  const SimdBlock& filled(const SimdBlock& simd_block, float) const { return simd_block; }
};

/// The first `count` lanes of a group at the end of a row.
struct PartialBlock {
  Index first, count;

  /// The numbers of the row there, and `rest` in the other lanes.
  SimdBlock load(const float* row, float rest = 0) const {
    SimdBlock simd_block = SimdBlock::Constant(rest);
    std::copy_n(row + first, count, simd_block.data());
    return simd_block;
  }
  /// Writes those of the row.
  void store(const SimdBlock& simd_block, float* row) const {
    std::copy_n(simd_block.data(), count, row + first);
  }
  /// With `value` in lanes that the row does not have.
  SimdBlock filled(SimdBlock simd_block, float value) const {
    for (Index i = count; i < kSimdWidth; ++i) simd_block(i) = value;
    return simd_block;
  }
};

/// Calls use(lanes) for each group of a row of `count` numbers.
template <typename Use>
void for_simd_blocks(Index count, Use use) {
  Index first = 0;
  for (; first + kSimdWidth <= count; first += kSimdWidth) use(WholeBlock{first});
  if (first < count) use(PartialBlock{first, count - first});
}

/// `count` rounded up to whole groups.
inline Index padded_to_simd(Index count) {
  return (count + kSimdWidth - 1) / kSimdWidth * kSimdWidth;
}

}  // namespace attention::training
