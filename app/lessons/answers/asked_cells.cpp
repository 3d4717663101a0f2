#include "app/lessons/answers/asked_cells.h"

#include <algorithm>

#include "app/lessons/reading/value_or_throw.h"

namespace lab::lessons {

std::optional<StageCell> cell_of(const Expression& expression, const Snapshot& live) {
  const Value value = value_or_throw(expression.evaluate(live));
  const auto* cell = std::get_if<CellValue>(&value);
  return cell ? cell->cell : std::nullopt;
}

std::optional<StageCell> asked_cell(const Question& question, const Snapshot& live) {
  if (question.kind != QuestionKind::kNumber) return std::nullopt;
  return cell_of(question.answers.front(), live);
}

AskedCells::AskedCells(std::span<const Question* const> questions, const Snapshot& live) {
  for (const Question* question : questions) {
    Asked& asked = asked_.emplace_back();
    if (question->kind != QuestionKind::kNumber) continue;
    const Expression& answer = question->answers.front();
    asked = {answer.text(), asked_cell(*question, live)};
    if (asked.cell) continue;
    const auto needed = value_or_throw(answer.cells(live));
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

void AskedCells::blank_out(PaperTable& table, bool key) const {
  for (const Asked& asked : asked_) {
    const auto& cell = asked.cell;
    if (!cell || table.origin != StageCell{cell->stage, cell->head}) continue;
    if (std::ranges::find(needed_, *cell) != needed_.end()) continue;
    const auto row = static_cast<std::size_t>(cell->row);
    const auto column = static_cast<std::size_t>(cell->col);
    table.marked[row][column] = true;
    if (!key) table.cells[row][column].clear();
  }
}

}  // namespace lab::lessons
