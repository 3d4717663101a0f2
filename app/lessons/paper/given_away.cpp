#include "app/lessons/paper/given_away.h"

#include <algorithm>
#include <cmath>

#include "app/lessons/answers/answer.h"
#include "app/lessons/answers/asked_cells.h"

namespace lab::lessons {
namespace {

using attention::Index;
using attention::Matrix;
using attention::Stage;

// The most by which a printed number is off. Not that of the sheet's own decimals, because a sheet
// and its key have the same numbers whatever their decimals are.
constexpr double kRoundedBy = 0.005;

const Matrix& values_in_stage(const Snapshot& live, Stage stage, int head) {
  return *stage_matrix(live.document.problem, live.trace, stage, head);
}

bool is_given_away(const Question& question, const StageCell& cell, const Snapshot& live) {
  const Matrix& values = values_in_stage(live, cell.stage, cell.head);
  const double answer = values(cell.row, cell.col);
  const double apart = tolerance_of(question, answer) + kRoundedBy;
  const auto tells = [&](double number) { return std::abs(number - answer) <= apart; };
  for (Index i = 0; i < values.rows(); ++i)
    for (Index j = 0; j < values.cols(); ++j)
      if ((i != cell.row || j != cell.col) && tells(values(i, j))) return true;
  if (cell.stage != Stage::kHeadOutput) return false;
  const Matrix& V = values_in_stage(live, Stage::kV, cell.head);
  for (Index i = 0; i < V.rows(); ++i)
    if (tells(V(i, cell.col))) return true;
  return false;
}

}  // namespace

std::size_t count_given_away(std::span<const Question* const> questions, const Snapshot& live) {
  return static_cast<std::size_t>(std::ranges::count_if(questions, [&](const Question* question) {
    const auto cell = asked_cell(*question, live);
    return cell && is_given_away(*question, *cell, live);
  }));
}

}  // namespace lab::lessons
