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
/// the best that it supports, detected once. Large products are oneDNN's where the core was built
/// with it.
const Kernels& kernels();

/// The library that computes large products, with its version: "oneDNN 2.6.3", or "Eigen 3.4.0"
/// where the core was built without oneDNN.
const char* product_library();

}  // namespace attention
