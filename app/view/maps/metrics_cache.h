#pragma once

#include <optional>
#include <vector>

#include "app/view/state/heads_state.h"
#include "app/view/toolkit/memo.h"
#include "core/analysis/combine.h"
#include "core/analysis/metrics.h"

namespace lab::view {

/// The cells of one stage of one head that moved most.
using MovedCells = std::vector<attention::Moved>;

/// What the window shows beyond the stages themselves. Computed when it is first asked for and kept
/// by the versions of what it was computed from, so that a frame in which nothing changed computes
/// nothing.
class MetricsCache {
 public:
  /// The metric of `head`, from 0, that heads can be ordered by; of kNumber the head's number.
  double metric(HeadOrder metric, const attention::Problem& problem, const attention::Trace& trace,
                int head);
  /// See output_share_of_head.
  double share(const attention::Problem& problem, const attention::Trace& trace, int head);
  /// The head's strongest pair off the diagonal.
  const attention::Pair& strongest(const attention::Trace& trace, int head);
  /// See most_similar_head.
  std::optional<attention::SimilarHead> similar(const attention::Trace& trace, int head);
  /// The mean of all heads' weights, and their maximum.
  const attention::SharedMatrix& mean(const attention::Trace& trace);
  const attention::SharedMatrix& maximum(const attention::Trace& trace);
  /// to − from; both must have the same shape.
  const attention::SharedMatrix& difference(const attention::SharedMatrix& from,
                                            const attention::SharedMatrix& to);
  /// The cells that moved most in that difference, at most kMostMoved.
  const MovedCells& moved(const attention::SharedMatrix& from, const attention::SharedMatrix& to);
  /// largest_move of that difference, and its Frobenius norm.
  double largest(const attention::SharedMatrix& from, const attention::SharedMatrix& to);
  double norm(const attention::SharedMatrix& from, const attention::SharedMatrix& to);
  /// leading_pairs of every row of `weights`, one row after the other; of more than some 500 × 500
  /// weights the 1000 strongest pairs.
  const std::vector<attention::Pair>& leading(const attention::SharedMatrix& weights, float share);
  /// Ends a frame: forgets what has not been used for long.
  void end_frame();

  /// How many moved() gives at most.
  static constexpr attention::Index kMostMoved = 10;

 private:
  Memo<double> metrics_, shares_, largest_, norms_;
  Memo<attention::Pair> strongest_;
  Memo<std::optional<attention::SimilarHead>> similar_;
  Memo<attention::SharedMatrix> means_, maxima_, differences_;
  Memo<MovedCells> moved_;
  Memo<std::vector<attention::Pair>> leading_;
};

}  // namespace lab::view
