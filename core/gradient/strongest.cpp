#include "core/gradient/strongest.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

bool is_stronger(const Sensitivity& a, const Sensitivity& b) {
  return std::abs(a.derivative) > std::abs(b.derivative);
}

}  // namespace

std::vector<Sensitivity> strongest(const LayerGradient& gradient, std::size_t count,
                                   std::optional<MatrixId> only) {
  std::vector<Sensitivity> found;
  for_each_matrix(gradient, [&](const MatrixInfo& info, Index head, const Matrix& matrix) {
    if (only && *only != info.id) return;
    for (Index row = 0; row < matrix.rows(); ++row) {
      for (Index col = 0; col < matrix.cols(); ++col) {
        const Sensitivity one{info.id, head, row, col, matrix(row, col)};
        const bool full = found.size() == count;
        if (one.derivative == 0 || (full && (count == 0 || !is_stronger(one, found.back()))))
          continue;
        if (full) found.pop_back();
        found.insert(std::ranges::upper_bound(found, one, is_stronger), one);
      }
    }
  });
  return found;
}

}  // namespace attention
