#pragma once

#include <vector>

#include "core/layer/change.h"
#include "core/layer/stage.h"

namespace attention {

/// One stage matrix that was computed anew, whole or in part.
struct Recomputation {
  Stage stage = Stage::kX;
  Index head = 0;  ///< from 0; the first of those that share it; 0 where there is one for all
  Change part;     ///< what of it was computed
};

/// What one evaluation computed anew.
struct EvaluationReport {
  /// What comes before the heads; head by head the queries, the keys, the values and what is made
  /// of them; what comes after the heads. No stage that was not touched. Scores of which some rows
  /// and some columns were computed have two parts, the rows and right after them the columns.
  std::vector<Recomputation> parts;
  int stages = 0;          ///< how many stage matrices they are of, over all heads
  std::vector<int> heads;  ///< the heads of which anything was computed, ascending
  bool output = false;     ///< whether the output was computed, whole or in part
};

/// What changed in one head during an evaluation, and the logs of what was computed there: one for
/// each of the tasks that threads may share, in the order of the formula.
struct HeadChanges {
  Change queries;  ///< of rotated_Q
  Change keys;     ///< of rotated_K
  Change values;   ///< of V
  Change output;   ///< of head_output
  std::vector<Recomputation> query_log, key_log, value_log, attention_log;
};

}  // namespace attention
