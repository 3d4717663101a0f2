#include "app/lessons/asked_cells.h"

#include <algorithm>

#include "app/lessons/demand.h"

namespace lab {
namespace {

std::optional<StageCell> cell_of(const Value& value) {
  const auto* cell = std::get_if<CellValue>(&value);
  return cell ? cell->cell : std::nullopt;
}

}  // namespace

std::optional<StageCell> asked_cell(const Question& question, const LiveNumbers& live) {
  if (question.kind != QuestionKind::kNumber) return std::nullopt;
  return cell_of(demand(question.answers.front().evaluate(live)));
}

void AskedCells::add(const Question& question, const LiveNumbers& live) {
  if (question.kind != QuestionKind::kNumber) return;
  expressions_.insert(question.answers.front().text());
  if (const auto cell = asked_cell(question, live)) cells_.push_back(*cell);
}

bool AskedCells::asks(const Expression& number, const LiveNumbers& live) const {
  if (expressions_.contains(number.text())) return true;
  const auto value = number.evaluate(live);
  const auto cell = value ? cell_of(*value) : std::nullopt;
  return cell && std::ranges::find(cells_, *cell) != cells_.end();
}

void AskedCells::leave_out(PaperTable& table, bool key) const {
  for (const StageCell& cell : cells_) {
    if (!table.origin || cell.stage != table.origin->stage || cell.head != table.origin->head)
      continue;
    const auto row = static_cast<std::size_t>(cell.row),
               column = static_cast<std::size_t>(cell.col);
    table.marked[row][column] = true;
    if (!key) table.cells[row][column].clear();
  }
}

}  // namespace lab
