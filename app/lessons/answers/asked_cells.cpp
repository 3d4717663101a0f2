#include "app/lessons/answers/asked_cells.h"

#include <algorithm>

#include "app/base/bad_input.h"
#include "core/layer/stage_info.h"

namespace lab::lessons {

using attention::Stage;

namespace {

// True when each cell of `stage` is computed from the one at the same position of `from`, directly
// or by stages between.
bool follows_cell_by_cell(Stage stage, Stage from) {
  while (stage > from) {
    const attention::StageOperand& operand = attention::stage_info(stage).operands.front();
    if (operand.reach != attention::Reach::kCell) return false;
    stage = operand.stage;
  }
  return stage == from;
}

}  // namespace

std::optional<StageCell> cell_of(const Expression& expression, const Snapshot& live) {
  const Value value = value_or_bad_input(expression.evaluate(live));
  const auto* cell = std::get_if<CellValue>(&value);
  return cell ? cell->cell : std::nullopt;
}

std::optional<StageCell> asked_cell(const Question& question, const Snapshot& live) {
  if (question.type != QuestionType::kNumber) return std::nullopt;
  return cell_of(question.answers.front(), live);
}

AskedCells::AskedCells(std::span<const Question* const> questions, const Snapshot& live) {
  for (const Question* question : questions) {
    Asked& asked = asked_.emplace_back();
    const bool is_name = question->type == QuestionType::kName;
    if (!is_name && question->type != QuestionType::kNumber) continue;
    const Expression& answer = question->answers.front();
    asked = {answer.text(), asked_cell(*question, live)};
    if (asked.cell || is_name) continue;
    const auto needed = value_or_bad_input(answer.cells(live));
    needed_.insert(needed_.end(), needed.begin(), needed.end());
  }
}

bool AskedCells::has(const StageCell& cell, std::size_t count) const {
  const std::span first(asked_.data(), std::min(count, asked_.size()));
  return std::ranges::any_of(first, [&cell](const Asked& one) { return one.cell == cell; });
}

bool AskedCells::covers(const Expression& number, const Snapshot& live, std::size_t count) const {
  const std::span first(asked_.data(), std::min(count, asked_.size()));
  if (std::ranges::find(first, number.text(), &Asked::expression) != first.end()) return true;
  const auto cells = number.cells(live);
  return cells && !cells->empty() &&
         std::ranges::all_of(*cells, [&](const StageCell& cell) { return has(cell, count); });
}

// True when an answer of a later stage is computed from the row of that cell.
bool AskedCells::needs_row(const StageCell& cell) const {
  return std::ranges::any_of(asked_, [&cell](const Asked& one) {
    return one.cell && one.cell->stage > cell.stage && one.cell->head == cell.head &&
           one.cell->row == cell.row;
  });
}

// The cells of `stage` that would give an answer away: those that are asked for, and those that are
// computed cell by cell from one that is.
std::vector<StageCell> AskedCells::revealed(Stage stage) const {
  std::vector<StageCell> cells;
  for (const Asked& asked : asked_) {
    if (!asked.cell) continue;
    StageCell cell = *asked.cell;
    const bool is_it = cell.stage == stage;
    if (!is_it && !follows_cell_by_cell(stage, cell.stage)) continue;
    cell.stage = stage;
    if (is_it || !needs_row(cell)) cells.push_back(cell);
  }
  return cells;
}

void AskedCells::blank_out(PaperTable& table, bool key) const {
  if (!table.origin) return;
  for (const StageCell& cell : revealed(table.origin->stage)) {
    if (cell.head != table.origin->head) continue;
    if (std::ranges::find(needed_, cell) != needed_.end()) continue;
    const auto row = static_cast<std::size_t>(cell.row);
    const auto column = static_cast<std::size_t>(cell.col);
    table.marked[row][column] = true;
    if (!key) table.cells[row][column].clear();
  }
}

}  // namespace lab::lessons
