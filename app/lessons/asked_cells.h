#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/lessons/lesson.h"
#include "app/lessons/paper.h"

namespace lab {

/// The cell whose number is the answer to a question; nothing for a question of another kind, and
/// for an answer that is computed from several. Throws BadInput as Expression::evaluate() fails.
std::optional<StageCell> asked_cell(const Question& question, const LiveNumbers& live);

/// What the questions of a worksheet have asked for so far: it is left out wherever the sheet would
/// else give it away.
class AskedCells {
 public:
  void add(const Question& question, const LiveNumbers& live);
  /// True when the number in the text was asked for.
  bool asks(const Expression& number, const LiveNumbers& live) const;
  /// Leaves what was asked for out of the table of a stage, or marks it in the key.
  void leave_out(PaperTable& table, bool key) const;

 private:
  std::vector<StageCell> cells_;
  std::set<std::string> expressions_;  // as they were written
};

}  // namespace lab
