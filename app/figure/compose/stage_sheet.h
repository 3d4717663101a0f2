#pragma once

#include <vector>

#include "app/document/words/paired_tokens.h"
#include "app/figure/compose/common_look.h"
#include "app/figure/compose/sheet.h"
#include "app/figure/figure_source.h"

// The maps of a figure, and what a figure shows in place of maps.

namespace lab::figure {

/// "head 1" for head 0.
std::string head_name(const Document& document, attention::Index head);

/// "Attention weights, mean of all heads", or of those that are active.
std::string title_of_mean(const Document& document);
/// "Attention weights, maximum of all heads", or of those that are active.
std::string title_of_maximum(const Document& document);

/// The stage whose palette and range the numbers of `stage` have: those of a gradient are signed.
attention::Stage coloured_as(const FigureOptions& options, attention::Stage stage);

/// The formula of the stage; none where the numbers are a gradient.
std::string formula_in_figure(const FigureSource& source, attention::Stage stage);

/// "What moves weights[it, animal]: Queries, head 1" where the numbers are a gradient; else `title`
/// itself.
std::string title_of_numbers(const FigureOptions& options, const std::string& title);

/// The numbers of the map: those of the tokens in the options.
attention::SharedMatrix shown_values(const FigureSource& source, attention::Stage stage,
                                     attention::Index head);

/// The marks for a map according to the options, in painting order, at their positions among the
/// cells that are shown; without those outside.
std::vector<PanelMark> stage_marks(const FigureSource& source, attention::Stage stage,
                                   attention::Index head);

/// The panel of a stage, with its labels, range, numbers and marks.
Panel stage_panel(const FigureSource& source, attention::Stage stage, attention::Index head);

/// The sheet of an input or a parameter of `head`. Throws std::out_of_range when the model has
/// none.
Sheet matrix_sheet(const FigureSource& source, attention::MatrixId id, attention::Index head);

/// The numbers as they are written into cells by the options, row by row; none without annotate.
std::vector<std::string> number_texts(const FigureOptions& options,
                                      const attention::Matrix& values);

/// The panel of the difference to − from (attention::difference), labelled like `like`.
Panel difference_panel(const FigureSource& source, const Panel& like, const attention::Matrix& from,
                       const attention::Matrix& to);

/// Throws std::out_of_range when the model has no such head.
void check_head(const FigureSource& source, attention::Index head);

/// Throws std::out_of_range when A, the kept state, has no map of that stage and head, or, with the
/// same tokens as B, one of another shape.
void check_comparable(const FigureSource& source, attention::Stage stage, attention::Index head);

/// The panels of any type except kLines and kArithmetic, for a page `width` points wide with a font
/// of `font` points. Throws as stage_figure does.
Sheet stage_sheet(const FigureSource& source, double width, double font);

/// The maps of A, the kept state, and of B, whose sentences differ, each with its own labels; then
/// B − A, of the tokens that are in both, where there is such a difference. Precondition: there is
/// a kept state, with the stage and the head of the options. Throws std::out_of_range when A has
/// none of the chosen tokens.
std::vector<Panel> panels_of_two_sentences(const FigureSource& source, const PairedTokens& pairs);

/// True when the third of these maps is there: the sentences share tokens, and the axes of the
/// stage that are not of tokens are equally long.
bool has_difference(const FigureSource& source, const PairedTokens& pairs);

/// Lines from the queries on the left to the keys on the right: for each query, to the keys that
/// together hold options.share of its weight. The thickness of a line shows its weight. Throws
/// std::out_of_range when there is no such head or query.
Figure line_figure(const FigureSource& source, const Look& look, double width);

/// The calculation of the cell (options.row, options.column) of options.stage with its numbers:
/// what the cell means, and one line per step. Throws std::out_of_range when there is no such cell.
Figure arithmetic_figure(const FigureSource& source, const Look& look, double width);

}  // namespace lab::figure
