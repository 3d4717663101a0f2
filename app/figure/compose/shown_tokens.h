#pragma once

#include <optional>
#include <vector>

#include "app/figure/figure_source.h"

// Figures of chosen tokens, under chosen names.

namespace lab::figure {

/// The rows and columns of a stage that a figure shows, ascending; std::nullopt for all.
struct ShownCells {
  std::optional<std::vector<attention::Index>> rows, columns;

  /// Those of `values`, which is the matrix itself when all are shown.
  attention::SharedMatrix of(const attention::SharedMatrix& values) const;
  /// Where a cell of the whole matrix is among them; std::nullopt if it is not shown.
  std::optional<attention::CellRef> shown_cell(attention::CellRef cell) const;
};

/// The cells of `stage` that belong to the tokens in the options.
ShownCells shown_cells(const FigureOptions& options, attention::Stage stage);

/// The positions 0 … count − 1, or those that are chosen.
std::vector<attention::Index> shown_positions(const std::vector<attention::Index>& chosen,
                                              attention::Index count);

/// Throws std::out_of_range when the options choose a token that the sentence does not have.
void check_tokens(const FigureSource& source);

/// A document, and the kept state if there is one, whose tokens have the names in the options.
class RenamedTokens {
 public:
  /// Copies both; `kept` may be null. Tokens of `kept` that `document` has too get the same names.
  RenamedTokens(const Document& document, const FigureOptions& options, const Snapshot* kept);
  /// The document with those names.
  const Document& document() const { return document_; }
  /// The kept state with those names; null without one.
  const Snapshot* kept() const { return kept_ ? &*kept_ : nullptr; }

 private:
  Document document_;
  std::optional<Snapshot> kept_;
};

}  // namespace lab::figure
