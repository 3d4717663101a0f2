#include "app/view/model/tile_maps.h"

#include <algorithm>

namespace lab::view {
namespace {

using attention::Index;
using attention::Matrix;
using attention::network::StackTrace;
using attention::network::Sublayer;

// A tile has no room for more.
constexpr Index kMostCells = 64;

// How many neighbours become one cell.
Index cells_together(Index count) { return (count + kMostCells - 1) / kMostCells; }

// The largest of each group of `rows` × `cols` neighbours of `map`, in place of them.
void reduce_map(const attention::MatrixView& map, Index rows, Index cols,
                attention::MatrixSlot tile) {
  for (Index i = 0; i < tile.rows(); ++i)
    for (Index j = 0; j < tile.cols(); ++j)
      tile(i, j) = map.block(i * rows, j * cols, std::min(rows, map.rows() - i * rows),
                             std::min(cols, map.cols() - j * cols))
                       .maxCoeff();
}

}  // namespace

const attention::SharedMatrix& TileMaps::weights(const SharedNetworkTrace& trace,
                                                 Sublayer sublayer) {
  if (trace == trace_ && sublayer == sublayer_) return weights_;
  trace_ = trace;
  sublayer_ = sublayer;
  const StackTrace& stack = stack_trace(*trace, sublayer);
  const Matrix& first = weights_at(*trace, {sublayer, 0});
  const Index n = stack.n(), keys = first.cols();
  const Index rows = cells_together(n), cols = cells_together(keys);
  tile_ = {(n + rows - 1) / rows, (keys + cols - 1) / cols};
  count_ = {std::ssize(stack.blocks), first.rows() / n};
  Matrix all(count_.rows * tile_.rows, count_.cols * tile_.cols);
  for (Index layer = 0; layer < count_.rows; ++layer)
    for (Index head = 0; head < count_.cols; ++head)
      reduce_map(weights_at(*trace, {sublayer, layer}).middleRows(head * n, n), rows, cols,
                 all.block(layer * tile_.rows, head * tile_.cols, tile_.rows, tile_.cols));
  weights_ = attention::SharedMatrix(std::move(all));
  return weights_;
}

}  // namespace lab::view
