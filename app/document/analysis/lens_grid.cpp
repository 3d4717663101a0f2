#include "app/document/analysis/lens_grid.h"

#include <algorithm>
#include <stdexcept>

#include "core/network/row_functions.h"

namespace lab {
namespace {

using attention::Index;
using attention::Matrix;
using attention::RowVector;
using attention::network::StackTrace;

// Few enough for the logits to fit into little memory, and for a step to end soon.
constexpr Index kRowsOfStep = 16;

const Matrix& stream_at(const StackTrace& stack, Index layer) {
  const auto at = static_cast<std::size_t>(layer);
  return *(at < stack.blocks.size() ? stack.blocks[at].input : stack.last);
}

}  // namespace

LensSweep::LensSweep(const ModelPass& pass) : pass_(pass) {
  grid_.layers = std::ssize(pass.trace.stack.blocks) + 1;
  grid_.rows = pass.trace.stack.n();
}

double LensSweep::progress() const {
  return static_cast<double>(grid_.tops.size()) /
         static_cast<double>(std::max<Index>(grid_.layers * grid_.rows, 1));
}

void LensSweep::step(attention::WorkWatch* watch) {
  report_work(watch, 1);
  if (!pass_.network().read_out) throw std::invalid_argument("the network has no read-out");
  const Index layer = grid_.known_layers(), first = std::ssize(grid_.tops) % grid_.rows;
  const Index count = std::min(kRowsOfStep, grid_.rows - first);
  Matrix rows = stream_at(pass_.trace.stack, layer).middleRows(first, count);
  const auto& norm = pass_.network().stack.final_norm;
  if (norm) attention::network::normalise(*norm, rows);
  const Matrix logits = attention::network::logits(pass_.network(), rows, pass_.pool);
  for (Index row = 0; row < count; ++row)
    grid_.tops.push_back(likeliest(RowVector(logits.row(row))));
}

}  // namespace lab
