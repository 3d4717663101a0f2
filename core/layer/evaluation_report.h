#pragma once

#include <vector>

#include "core/layer/change.h"
#include "core/layer/stage.h"

namespace attention {

/// One stage matrix that was recomputed, whole or in part.
struct Recomputation {
  Stage stage = Stage::kX;
  Index head = 0;  ///< from 0; the first of those that share it; 0 for stages without heads
  Change part;     ///< the part that was recomputed
};

/// What one evaluation recomputed.
struct EvaluationReport {
  /// The stages before the heads; head by head the queries, the keys, the values and what is
  /// computed from them; the stages after the heads. Only stages that were recomputed. Scores of
  /// which both rows and columns were recomputed have two parts: the rows, and right after them the
  /// columns.
  std::vector<Recomputation> parts;
  int stages = 0;          ///< the number of stage matrices in `parts`, over all heads
  std::vector<int> heads;  ///< the heads in which anything was recomputed, ascending
  bool output = false;     ///< whether the output was recomputed, whole or in part
};

/// What changed in one head during an evaluation, and logs of what was recomputed: one for each
/// task that may run on a separate thread, in the order of the formula.
struct HeadChanges {
  Change queries;  ///< of rotated_Q
  Change keys;     ///< of rotated_K
  Change values;   ///< of V
  Change output;   ///< of head_output
  std::vector<Recomputation> query_log, key_log, value_log, attention_log;
};

}  // namespace attention
