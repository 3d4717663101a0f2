#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/lessons/lesson.h"
#include "app/lessons/paper/paper.h"

namespace lab::lessons {

/// The cell that an expression comes to; nothing for a number that is computed. Throws BadInput as
/// Expression::evaluate() fails.
std::optional<StageCell> cell_of(const Expression& expression, const Snapshot& live);

/// The cell whose number is the answer to a question; nothing for a question of another kind, and
/// for an answer that is computed from several. Throws BadInput as Expression::evaluate() fails.
std::optional<StageCell> asked_cell(const Question& question, const Snapshot& live);

/// The numbers that questions about one state of the model ask for: they are left out wherever a
/// worksheet would else give them away.
class AskedCells {
 public:
  /// None.
  AskedCells() = default;
  /// Of these questions, in order. Throws as asked_cell().
  AskedCells(std::span<const Question* const> questions, const Snapshot& live);

  /// True when a number in the text is asked for, or made of nothing else: by one of the first
  /// `count` questions.
  bool asks(const Expression& number, const Snapshot& live, std::size_t count) const;
  /// How many questions there are.
  std::size_t count() const { return asked_.size(); }
  /// Leaves what is asked for out of the table of a stage, or marks it in the key. What another
  /// question computes with stays.
  void leave_out(PaperTable& table, bool key) const;

 private:
  struct Asked {
    std::string expression;  // as it was written; empty: no number
    std::optional<StageCell> cell;
  };
  bool has(const StageCell& cell, std::size_t count) const;

  std::vector<Asked> asked_;       // one for each question
  std::vector<StageCell> needed_;  // by answers that are computed from them
};

}  // namespace lab::lessons
