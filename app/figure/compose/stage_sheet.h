#pragma once

#include "app/figure/compose/common_look.h"
#include "app/figure/compose/sheet.h"
#include "app/figure/figure_source.h"

// The maps of a figure.

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

/// The marks for a map according to the options, in painting order, at their places among the cells
/// that are shown; without those outside.
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
/// same words as B, one of another shape.
void check_comparable(const FigureSource& source, attention::Stage stage, attention::Index head);

/// The panels of any kind except kLines and kArithmetic, for a page `width` points wide with a font
/// of `font` points. Throws as stage_figure does.
Sheet stage_sheet(const FigureSource& source, double width, double font);

}  // namespace lab::figure
