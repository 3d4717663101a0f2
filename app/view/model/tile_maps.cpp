#include "app/view/model/tile_maps.h"

#include <algorithm>
#include <utility>

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

HeadMaps head_maps(const attention::network::NetworkTrace& trace, Sublayer sublayer) {
  const StackTrace& stack = stack_trace(trace, sublayer);
  const auto weights = [&](Index layer) -> const Matrix& {
    return weights_at(trace, {sublayer, layer});
  };
  Index attending = 0;  // the first layer that attends
  while (weights(attending).size() == 0) ++attending;
  const Matrix& first = weights(attending);
  const Index n = stack.n(), keys = first.cols();
  const Index rows = cells_together(n), cols = cells_together(keys);
  HeadMaps maps;
  maps.tile = {(n + rows - 1) / rows, (keys + cols - 1) / cols};
  maps.count = {std::ssize(stack.blocks), first.rows() / n};
  Matrix all = Matrix::Zero(maps.count.rows * maps.tile.rows, maps.count.cols * maps.tile.cols);
  for (Index layer = 0; layer < maps.count.rows; ++layer)
    for (Index head = 0; head < maps.count.cols && weights(layer).size() > 0; ++head)
      reduce_map(
          weights(layer).middleRows(head * n, n), rows, cols,
          all.block(layer * maps.tile.rows, head * maps.tile.cols, maps.tile.rows, maps.tile.cols));
  maps.weights = attention::SharedMatrix(std::move(all));
  return maps;
}

}  // namespace

const HeadMaps& TileMaps::maps(const SharedNetworkTrace& trace, Sublayer sublayer) {
  const auto is_it = [&](const Kept& kept) {
    return kept.trace == trace && kept.sublayer == sublayer;
  };
  if (is_it(kept_[0])) return kept_[0].maps;
  std::swap(kept_[0], kept_[1]);
  if (!is_it(kept_[0])) kept_[0] = {trace, sublayer, head_maps(*trace, sublayer)};
  return kept_[0].maps;
}

}  // namespace lab::view
