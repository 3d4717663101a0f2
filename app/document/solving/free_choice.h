#pragma once

#include <optional>
#include <vector>

#include "app/document/commands/command.h"
#include "app/document/document.h"
#include "core/solve/targets.h"

namespace lab {

/// Which numbers of a matrix may change.
struct FreeChoice {
  MatrixId matrix = MatrixId::kWQ;
  /// From 0, as in MatrixRef; unset: of all heads. Of W_O: the rows of rows_of_head().
  std::optional<int> head = {};
  std::vector<attention::Index> rows = {};  ///< tokens of X, rows of others; empty: all
  float weight = 1;                         ///< what a squared change counts beside others; > 0
};

/// A problem and the rows of it that are free.
struct FreeNumbers {
  attention::Problem problem;  ///< of the document, with its absent matrices that are chosen
  std::vector<attention::FreeRow> rows;
};

/// True when choosing the matrix can make sense: the formula reads it, its numbers are edited in
/// this document, and it is no mask.
bool can_be_free(const Document& document, MatrixId matrix);

/// The rows of W_O which the output of that query head meets: d_v from head · d_v on.
std::vector<attention::Index> rows_of_head(const attention::Config& config, int head);

/// The numbers that the choices name. Equal words share a vector: they are free together, those of
/// the second sentence that share it included. A row that is chosen twice counts as in the last
/// choice. Fails with kBadInput for a matrix that cannot be free, and a head or row that does not
/// exist.
Expected<FreeNumbers> free_numbers(const Document& document,
                                   const std::vector<FreeChoice>& choices);

/// The changes as one command; blocks of whole rows. Precondition: there are some.
SetBlocks solved_blocks(const Document& document, const attention::Problem& solved,
                        const std::vector<attention::FreeRow>& rows);

}  // namespace lab
