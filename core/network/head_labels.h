#pragma once

#include <cstdint>
#include <vector>

#include "core/network/network_evaluator.h"

namespace attention::network {

/// How much a head attends in a known pattern, each from 0 to 1: the mean weight over the rows for
/// which the pattern names a key; 0 when it names none for any row.
struct HeadScores {
  float previous = 0;   ///< the token before (row i, key i − 1)
  float first = 0;      ///< the first token (rows from 1)
  float duplicate = 0;  ///< earlier tokens with the same id, together
  float induction = 0;  ///< earlier tokens that come after those, together (Olsson et al. 2022)

  bool operator==(const HeadScores&) const = default;
};

/// Measures what heads attend to on one or more texts. Labels mean most on tokens chosen at random
/// and then repeated, see repeated_tokens().
class HeadScoreMeter {
 public:
  /// Adds the weights of `stack` on tokens with these ids. Precondition: all stacks have as many
  /// layers and heads.
  void add(const StackTrace& stack, const std::vector<std::uint32_t>& ids, Index n_heads);

  /// The scores of each head, layer by layer, over all rows of all texts; 0 in layers without
  /// attention.
  std::vector<HeadScores> scores() const;

 private:
  /// A mean over rows, 0 without any.
  struct Mean {
    double sum = 0;
    Index rows = 0;
    /// The mean.
    float value() const {
      return rows == 0 ? 0 : static_cast<float>(sum / static_cast<double>(rows));
    }
  };
  struct Means {
    Mean previous, first, duplicate, induction;
  };

  static void add_rows(const MatrixView& weights, const std::vector<std::uint32_t>& ids,
                       Means& means);

  std::vector<Means> heads_;
};

/// `period` ids below `vocabulary`, random and different from each other where there are enough,
/// twice: the same for the same seed.
std::vector<std::uint32_t> repeated_tokens(Index period, std::uint32_t vocabulary,
                                           std::uint64_t seed);

}  // namespace attention::network
