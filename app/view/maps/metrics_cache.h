#pragma once

#include <optional>
#include <span>
#include <vector>

#include "app/document/batch/batch_means.h"
#include "app/document/words/paired_tokens.h"
#include "app/view/state/heads_state.h"
#include "app/view/toolkit/memo.h"
#include "core/analysis/combine.h"
#include "core/analysis/metrics.h"

namespace lab::view {

/// The cells of one stage of one head that changed most.
using MovedCells = std::vector<attention::DifferenceCell>;

/// Derived values that the window shows besides the stages. Computed on first use and cached by the
/// versions of their inputs, so that a frame without changes computes nothing.
class MetricsCache {
 public:
  /// The metric of `head`, from 0, by which heads can be ordered; for kNumber, the head's number.
  double metric(HeadOrder metric, const attention::Problem& problem, const attention::Trace& trace,
                int head);
  /// See output_share_of_head.
  double share(const attention::Problem& problem, const attention::Trace& trace, int head);
  /// The head's strongest pair off the diagonal.
  const attention::Pair& strongest(const attention::Trace& trace, int head);
  /// See most_similar_head.
  std::optional<attention::SimilarHead> similar(const attention::Trace& trace, int head);
  /// The mean of the weights of these heads, from 0, and their maximum.
  const attention::SharedMatrix& mean(const attention::Trace& trace,
                                      std::span<const attention::Index> heads);
  /// The largest weight of these heads in each cell.
  const attention::SharedMatrix& maximum(const attention::Trace& trace,
                                         std::span<const attention::Index> heads);
  /// to − from; both must have the same shape.
  const attention::SharedMatrix& difference(const attention::SharedMatrix& from,
                                            const attention::SharedMatrix& to);
  /// The cells that changed most in that difference, at most kMostMoved; none by less than the
  /// rounding of a sum.
  const MovedCells& moved(const attention::SharedMatrix& from, const attention::SharedMatrix& to);
  /// largest_change of that difference, 0 when that is rounding; and its Frobenius norm.
  double largest(const attention::SharedMatrix& from, const attention::SharedMatrix& to);
  /// √(Σ squares) of that difference.
  double norm(const attention::SharedMatrix& from, const attention::SharedMatrix& to);
  /// aligned_to_b of A and B; `pairing` is the number of `words` (see ComparedWords).
  const attention::SharedMatrix& placed(const PairedTokens& words, std::uint64_t pairing,
                                        attention::Stage stage, const attention::SharedMatrix& a,
                                        const attention::SharedMatrix& b);
  /// leading_pairs of every row of `weights`, row by row; for more than about 500 × 500 weights,
  /// the 1000 strongest pairs.
  const std::vector<attention::Pair>& leading(const attention::SharedMatrix& weights, float share);
  /// The layer that is shown without the padding of its sentence, see batch_means.h.
  const MeasuredLayer& measured(const Document& document, const attention::Trace& trace);
  /// Ends a frame: discards what was not used in it.
  void end_frame();

  /// The most cells that moved() returns.
  static constexpr attention::Index kMostMoved = 10;

 private:
  Memo<double> metrics_, shares_, largest_, norms_;
  Memo<attention::Pair> strongest_;
  Memo<std::optional<attention::SimilarHead>> similar_;
  Memo<attention::SharedMatrix> means_, maxima_, differences_, placed_;
  Memo<MovedCells> moved_;
  Memo<MeasuredLayer> measured_;
  Memo<std::vector<attention::Pair>> leading_;
};

}  // namespace lab::view
