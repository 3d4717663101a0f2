#pragma once

#include "core/matrix.h"
#include "core/numerics/kernels/blocks.h"

namespace attention {

/// The block that a view shows.
inline ConstBlock block_of(const MatrixView& view) {
  return {view.data(), view.rows(), view.cols(), view.outerStride()};
}
/// The block that writing into `slot` writes: a Matrix, a MatrixSlot or a block of one.
template <typename Slot>
Block slot_of(Slot&& slot) {
  return {slot.data(), slot.rows(), slot.cols(), slot.outerStride()};
}

/// The kernels for this machine: those it was compiled for, or in a portable build the best that
/// it can run, found out once.
const Kernels& kernels();

}  // namespace attention
