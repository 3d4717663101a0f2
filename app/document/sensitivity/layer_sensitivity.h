#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "app/base/background_task.h"
#include "core/gradient/layer_gradient.h"

namespace lab {

/// A number of a layer, and the state that it is asked about in.
struct LayerQuestion {
  attention::Problem problem;
  attention::Trace trace;  ///< of the problem
  attention::Stage stage = attention::Stage::kWeights;
  attention::Index head = 0, row = 0, col = 0;
};

/// Computes what moves a number of a layer made by hand, for a window that asks on every frame: at
/// once where that takes no longer than a frame, otherwise on a background thread, where the newest
/// question follows the one that is being computed. All members must be called from one thread.
class LayerSensitivity {
 public:
  /// Sets a callback that runs on another thread when result() has something new.
  void set_on_ready(std::function<void()> on_ready) { on_ready_ = std::move(on_ready); }

  /// Asks about a cell that exists. Costs only comparisons when nothing changed.
  void ask(const attention::Problem& problem, const attention::Trace& trace, attention::Stage stage,
           attention::Index head, attention::Index row, attention::Index col);
  /// Forgets the question and the gradient.
  void stop();

  /// The newest gradient of the cell that is asked about; null while none is known. It may be of an
  /// earlier state with matrices of the same sizes, see current().
  const std::shared_ptr<const attention::LayerGradient>& result() const { return result_; }
  /// True when it is of the state that was asked about last.
  bool current() const { return !waiting_ && !running_.busy(); }

 private:
  void compute(const LayerQuestion& question);
  void start(LayerQuestion question);
  void settle();

  std::function<void()> on_ready_;
  std::optional<LayerQuestion> asked_;  // last
  bool waiting_ = false;                // it has not been started
  std::shared_ptr<const attention::LayerGradient> result_;
  std::optional<LayerQuestion> answered_;  // by result_
  LayerQuestion being_answered_;           // by running_
  BackgroundTask<attention::LayerGradient> running_;
};

}  // namespace lab
