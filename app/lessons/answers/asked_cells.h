#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/lessons/lesson.h"
#include "app/lessons/paper/paper.h"

namespace lab::lessons {

/// The cell that an expression evaluates to; nothing for a computed number. Throws BadInput if
/// Expression::evaluate() fails.
std::optional<StageCell> cell_of(const Expression& expression, const Snapshot& live);

/// The cell whose number is the answer to a question; std::nullopt if the question is of another
/// type or the answer is computed from several cells. Throws BadInput if Expression::evaluate()
/// fails.
std::optional<StageCell> asked_cell(const Question& question, const Snapshot& live);

/// The numbers that the questions about one state of the model ask for. Worksheets leave them out
/// wherever they would give an answer away.
class AskedCells {
 public:
  /// No questions.
  AskedCells() = default;
  /// The numbers that `questions` ask for, in order. Throws like asked_cell().
  AskedCells(std::span<const Question* const> questions, const Snapshot& live);

  /// True if one of the first `count` questions asks for `number`, or if all cells that it uses are
  /// asked for by them.
  bool covers(const Expression& number, const Snapshot& live, std::size_t count) const;
  /// The number of questions.
  std::size_t count() const { return asked_.size(); }
  /// Clears the asked cells in the table of a stage, or only marks them if `key`, and the cells of
  /// later stages that are computed from one of them alone, such as its scaled score, unless an
  /// answer needs their row. Cells that another answer is computed from stay.
  void blank_out(PaperTable& table, bool key) const;

 private:
  struct Asked {
    std::string expression;  // the answer as written; empty if it is no number or name
    std::optional<StageCell> cell;
  };
  bool has(const StageCell& cell, std::size_t count) const;
  bool needs_row(const StageCell& cell) const;
  std::vector<StageCell> revealed(attention::Stage stage) const;

  std::vector<Asked> asked_;       // one per question
  std::vector<StageCell> needed_;  // cells that computed answers need
};

}  // namespace lab::lessons
