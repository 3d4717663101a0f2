#include "app/lessons/answers/derivative.h"

#include <cmath>

#include "app/base/bad_input.h"
#include "core/gradient/layer_gradient.h"

namespace lab::lessons {
namespace {

using attention::Index;
using attention::LayerGradient;

const StageCell& stage_cell_or_throw(const CellValue& cell) {
  if (cell.cell) return *cell.cell;
  throw BadInput(
      "a derivative is of a number of a stage by one, such as "
      "derivative(weights[1, it, animal], X[it, 0])");
}

CellValue derivative_by(const CellValue& by, const LayerGradient& gradient,
                        const attention::Problem& problem) {
  const StageCell& cell = stage_cell_or_throw(by);
  const attention::Matrix& of_stage =
      stage_gradient(gradient, problem, cell.stage, static_cast<Index>(cell.head));
  CellValue result = by;
  result.value = of_stage.size() == 0 ? 0 : of_stage(cell.row, cell.col);
  return result;
}

}  // namespace

Value derivative(const Value& of, const Value& by, const Snapshot& live) {
  const auto* cell = std::get_if<CellValue>(&of);
  if (cell == nullptr) throw BadInput("a derivative is of one cell");
  const StageCell& asked = stage_cell_or_throw(*cell);
  if (!std::isfinite(cell->value)) throw BadInput("what is not a finite number has no derivative");
  const attention::Problem& problem = live.document.problem;
  const LayerGradient gradient = attention::gradient_of(
      problem, live.trace, cell_seed(problem, asked.stage, asked.head, asked.row, asked.col));
  if (const auto* one = std::get_if<CellValue>(&by)) return derivative_by(*one, gradient, problem);
  const auto* list = std::get_if<ListValue>(&by);
  if (list == nullptr) throw BadInput("a derivative is by a cell or a row of cells");
  ListValue result;
  for (const CellValue& one : list->cells)
    result.cells.push_back(derivative_by(one, gradient, problem));
  return result;
}

}  // namespace lab::lessons
