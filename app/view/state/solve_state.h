#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/document/commands/edited_places.h"
#include "core/matrix.h"
#include "core/network/attribution.h"

namespace lab::view {

class AnswerRun;  // view/solving

/// A row of a stage that keeps its numbers while an answer is dragged.
struct KeptRow {
  attention::Stage stage = attention::Stage::kWeights;
  int head = 0;
  attention::Index row = 0;
  bool operator==(const KeptRow&) const = default;
};

/// What Drag the answer is about: a computed cell or a logit, and what may change for it.
struct SolveState {
  bool open = false;  ///< its panel is there
  StageCell target;
  std::optional<attention::network::Answer> logit = {};  ///< of the model: the target is no cell
  std::vector<MatrixId> free = {MatrixId::kWQ, MatrixId::kWK, MatrixId::kWV, MatrixId::kWO};
  bool all_heads = false;  ///< of the free matrices; else only those that the target's head uses
  std::vector<attention::Index> locked_words;  ///< tokens of X that stay as they are
  std::vector<KeptRow> kept;
  std::vector<attention::network::Answer> kept_logits;
  std::optional<std::string> typing;    ///< the value, while it is being typed
  bool pressed = false;                 ///< the button is down on the target
  bool dragging = false;                ///< and the pointer has moved since
  float start_at = 0, start_value = 0;  ///< of the pointer, in pixels of the way; and of the target
  bool opened = false;                  ///< in this frame: it comes into view
  std::optional<attention::network::Answer> escaped;  ///< whose line was let go of by Escape
  bool finishing = false;  ///< the value is searched for to the end, then a step is made
  std::chrono::steady_clock::time_point latest_end;  ///< of that
  std::size_t state_id = 0;                          ///< History::state_id that `run` began with
  float target_value = 0;                            ///< the value asked for last
  std::string problem;                               ///< why it could not be tried
  std::shared_ptr<AnswerRun> run;  ///< the last one, with what it found; null: none yet
};

}  // namespace lab::view
