#pragma once

#include <vector>

#include "core/gradient/layer_gradient.h"

namespace attention {

/// A number of a problem and how much it moves the one that was differentiated.
struct Sensitivity {
  MatrixId matrix;
  Index head = 0;  ///< as for matrix_of()
  Index row = 0, col = 0;
  float derivative = 0;
};

/// The numbers that move it most, by the size of the derivative, the largest first; equal ones in
/// the order of for_each_matrix(). At most `count`, and none whose derivative is 0. Those of `only`
/// if it is given.
std::vector<Sensitivity> strongest(const LayerGradient& gradient, std::size_t count,
                                   std::optional<MatrixId> only = {});

}  // namespace attention
