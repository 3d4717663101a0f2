#pragma once

#include "app/figure/compose/common_look.h"
#include "app/figure/compose/sheet.h"
#include "app/figure/figure_source.h"

// Which maps a figure is made of.

namespace lab::figure {

/// "head 1" for head 0.
std::string head_name(attention::Index head);

/// The marks that the options ask for in a map, in painting order, those of cells that it has.
std::vector<PanelMark> stage_marks(const FigureSource& source, attention::Stage stage,
                                   attention::Index head);

/// The map of a stage, with its labels, range, numbers and marks.
Panel stage_panel(const FigureSource& source, attention::Stage stage, attention::Index head);

/// The map of the difference to − from (attention::difference), labelled as `like` is.
Panel difference_panel(const FigureSource& source, const Panel& like, const attention::Matrix& from,
                       const attention::Matrix& to);

/// Throws std::out_of_range when the model has no such head.
void check_head(const FigureSource& source, attention::Index head);

/// Throws std::out_of_range when A, the kept state, has no map of that stage and head that can be
/// compared cell by cell.
void check_comparable(const FigureSource& source, attention::Stage stage, attention::Index head);

/// The maps of any kind but kLines and kArithmetic, for a page `width` points wide with letters of
/// `font` points. Throws as stage_figure does.
Sheet stage_sheet(const FigureSource& source, double width, double font);

}  // namespace lab::figure
