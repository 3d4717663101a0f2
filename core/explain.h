#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/trace.h"

namespace attention {

/// One number of one stage or parameter, by its place.
struct CellRef {
  /// What the number belongs to: "X", "X_kv", "W_Q", "b_Q", "W_O", "bias", or a stage's name.
  std::string matrix;
  Index head = 0;  ///< from 0; 0 where there is only one
  Index row = 0;
  Index col = 0;
  bool operator==(const CellRef&) const = default;
};

/// One operand: where it comes from and what it is.
struct Operand {
  CellRef cell;
  float value = 0;
};

/// One term of a sum: a · b, or a alone when there is no b.
struct Term {
  Operand a;
  std::optional<Operand> b;
  double product = 0;      ///< a · b in double precision
  double running_sum = 0;  ///< the sum of all terms up to this one
};

/// The parts of one softmax weight: exp(x − maximum) / denominator.
struct SoftmaxParts {
  float maximum = 0;                 ///< largest score of the row
  std::vector<double> exponentials;  ///< exp(x_j − maximum) for every key j
  double denominator = 0;            ///< their sum; 0 when the row has nothing to attend to
};

/// The arithmetic behind one cell.
struct Explanation {
  Stage stage = Stage::kScores;
  Index head = 0, row = 0, col = 0;
  float value = 0;          ///< what the trace holds
  double recomputed = 0;    ///< what the parts below give in double precision
  std::vector<Term> terms;  ///< products that are summed (projections, scores, outputs), the
                            ///< bias last; for the other stages the single operand
  double factor = 1;        ///< scaled_scores: what the score is multiplied by
  std::optional<SoftmaxParts> softmax;  ///< weights only
  std::string masked_because;           ///< masked cell: the reason in words; else empty
};

/// The arithmetic of cell (row, col) of `stage` in `head` (from 0; ignored where the stage has
/// no heads). Throws std::out_of_range when there is no such cell.
Explanation explain(const Problem& problem, const Trace& trace, Stage stage, Index head, Index row,
                    Index col);

}  // namespace attention
