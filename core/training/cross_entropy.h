#pragma once

#include <vector>

#include "core/matrix.h"
#include "core/training/task.h"

namespace attention::training {

/// −ln p(target) added up, by position.
struct LossSums {
  std::vector<double> loss, known_loss;  ///< [length]; known_loss: where the target is known
  std::vector<Index> asked, known;       ///< [length] how many there were

  /// All 0 for sequences of `length`.
  explicit LossSums(Index length)
      : loss(static_cast<std::size_t>(length)),
        known_loss(loss.size()),
        asked(loss.size()),
        known(loss.size()) {}
  /// Adds those of `other`, of the same length.
  void add(const LossSums& other);
};

/// The loss of one sequence with these logits [length × vocabulary], added to `sums`; the logits
/// become `weight` · d(loss) / d(logits): weight · (p − 1 at the target), 0 where nothing is asked.
void cross_entropy(const Example& example, float weight, MatrixSlot logits, LossSums& sums);

}  // namespace attention::training
