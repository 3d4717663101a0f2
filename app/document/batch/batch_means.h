#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "app/base/background_task.h"
#include "app/base/error.h"
#include "app/document/document.h"
#include "core/layer/trace.h"
#include "core/numerics/work_watch.h"

namespace lab {

/// What a head does, as means over the sentences of a batch; see core/analysis/metrics.h.
struct HeadMeans {
  double entropy = 0;   ///< mean_entropy(), in nats
  double diagonal = 0;  ///< diagonal_weight()
  double previous = 0;  ///< previous_token_weight(), of the sentences with two tokens or more
  double first = 0;     ///< first_token_weight()
  double shift = 0;     ///< output_shift_without_head()
};

/// The means of each head over all sentences of the batch, every one of which counts the same and
/// is computed without padding; of a trained model, of the heads of the layer that is shown. Fails
/// as all_sentences() does; throws as `watch` and NetworkEvaluator do.
Expected<std::vector<HeadMeans>> batch_means(const Document& document,
                                             attention::WorkWatch* watch = nullptr);

/// Computes them on a background thread for a window that asks on every frame. All members must be
/// called from one thread.
class BatchMeans {
 public:
  /// Without means; computes nothing until of() asks for some.
  BatchMeans() = default;
  /// Stops what is being computed.
  ~BatchMeans() { watch_.stop(); }
  /// Can be neither copied nor moved: the thread refers to it.
  BatchMeans(const BatchMeans&) = delete;
  BatchMeans& operator=(const BatchMeans&) = delete;

  /// Sets a callback that runs on another thread when of() has something new.
  void set_on_ready(std::function<void()> on_ready) { on_ready_ = std::move(on_ready); }

  /// The newest means of the heads of `document`, which may be of an earlier state of the same
  /// layer with as many heads; null while none are known. Precondition: the document has a batch.
  const std::vector<HeadMeans>* of(const Document& document);
  /// True when they are of the state that was asked about last.
  bool current() const { return answered_ && !waiting_ && !running_.busy(); }
  /// Waits for the end of what is being computed.
  void wait() { running_.wait(); }

 private:
  using Means = std::vector<HeadMeans>;

  void settle();
  void start();

  std::function<void()> on_ready_;
  std::optional<Document> asked_;                         // last
  bool waiting_ = false;                                  // it has not been started
  attention::network::LayerId running_at_, answered_at_;  // layers of a model
  std::optional<Means> answered_;                         // the newest
  attention::WorkWatch watch_;
  BackgroundTask<std::optional<Means>> running_;  // last: it uses the others
};

/// What measures of heads read: a problem and the part of its trace that they need, which are the
/// weights of the heads, concat and output.
struct MeasuredLayer {
  attention::Problem problem;
  attention::Trace trace;
};

/// True when the sentence that is shown ends with padding.
bool ends_with_padding(const Document& document);

/// The layer without the queries and keys that only fill its sentence up, which no measure counts.
/// `trace` is that of the document's problem.
MeasuredLayer without_padding(const Document& document, const attention::Trace& trace);

}  // namespace lab
