#pragma once

#include <optional>
#include <vector>

#include "core/layer/trace.h"
#include "core/matrix_id.h"

namespace attention {

/// A number of a stage that is to have another value, or to keep the one that it has.
struct TargetCell {
  Stage stage = Stage::kWeights;
  Index head = 0;  ///< a query head, from 0; ignored for stages without heads
  Index row = 0, col = 0;
  std::optional<float> value = {};  ///< unset: the one that it has
};

/// A row of a matrix of a problem.
struct MatrixRow {
  MatrixId matrix = MatrixId::kX;
  Index head = 0;  ///< as for matrix_of()
  Index row = 0;
  bool operator==(const MatrixRow&) const = default;
};

/// Numbers that may change: a row of a matrix, or several of the same width that are one, such as
/// the vectors of equal words, whose change counts once.
struct FreeRow {
  std::vector<MatrixRow> places;
  float weight = 1;  ///< what the square of a change counts beside others; > 0
};

/// What is requested of a problem, and what may be changed for it.
struct SolveRequest {
  std::vector<TargetCell> targets;
  std::vector<FreeRow> free;
};

/// Why a request is refused.
enum class SolveFaultType {
  kNothingRequested,  ///< no cell has a value that is requested
  kNothingFree,       ///< no matrix, or only absent ones
  kNotANumber,        ///< the value that is requested is not finite
  kInput,             ///< the cell is not computed
  kNotFinite,         ///< the cell is −∞, +∞ or NaN
  kOverridden,        ///< the cell is put there by hand
  kForbidden,         ///< the weight of a pair that the masks forbid
  kOnlyKey,           ///< the weight of the only key that the query may attend to
  kDropped,           ///< dropout removes the weight
  kBeyond,    ///< the value is not between `low` and `high`, as all numbers of the stage are
  kTwice,     ///< two targets for one cell: `cell` and `other`
  kRowSum,    ///< the weights that are requested in the row of `cell` add up to `sum`
  kUnmoved,   ///< nothing that is free moves the cell
  kTooLarge,  ///< more than kMostSlopes derivatives
};

/// A request that is refused, and the numbers that its type mentions.
struct SolveFault {
  SolveFaultType type = SolveFaultType::kNothingRequested;
  std::size_t cell = 0, other = 0;  ///< numbers in SolveRequest::targets
  double low = 0, high = 0, sum = 0;
};

/// The most derivatives that are held at once: target cells times free numbers.
inline constexpr Index kMostSlopes = Index{1} << 26;

/// What is wrong with a request, apart from kUnmoved; nothing when it can be tried. `trace` is that
/// of `problem`. Throws std::invalid_argument when there is no such stage, head, cell or row, when
/// rows that are one differ in width, and for a weight that is not positive.
std::optional<SolveFault> find_fault(const Problem& problem, const Trace& trace,
                                     const SolveRequest& request);

/// What is wrong with what is free, for that many target values: nothing is, or too much.
std::optional<SolveFault> find_fault(const Problem& problem, const std::vector<FreeRow>& free,
                                     Index targets);

/// Whether anything could move the cell: it is computed, finite, not put there by hand, and no
/// weight that is forbidden, dropped or that of an only key.
bool can_move(const Problem& problem, const Trace& trace, const TargetCell& cell);

/// The cells of a row of a stage that something could move, each to keep its value.
std::vector<TargetCell> kept_row(const Problem& problem, const Trace& trace, Stage stage,
                                 Index head, Index row);

/// Every row of a matrix, each free on its own.
std::vector<FreeRow> free_rows(const Problem& problem, MatrixId matrix, Index head,
                               float weight = 1);

/// How many numbers are free.
Index count_free(const Problem& problem, const std::vector<FreeRow>& free);

}  // namespace attention
