#pragma once

#include "core/matrix.h"
#include "core/numerics/kernels/blocks.h"

namespace attention {

/// The block that a view refers to.
inline ConstBlock block_of(const MatrixView& view) {
  return {view.data(), view.rows(), view.cols(), view.outerStride()};
}
/// The block that `slot` refers to, for writing: a Matrix, a MatrixSlot or a block of one.
template <typename Slot>
Block slot_of(Slot&& slot) {
  return {slot.data(), slot.rows(), slot.cols(), slot.outerStride()};
}

/// The kernels for this machine: those of the instruction set compiled for, or in a portable build
/// the best that it supports, detected once.
const Kernels& kernels();

}  // namespace attention
