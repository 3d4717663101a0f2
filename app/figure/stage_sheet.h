#pragma once

#include "app/figure/common_look.h"
#include "app/figure/sheet.h"
#include "app/figure/stage_figure.h"

// Which maps a figure is made of.

namespace lab {

/// What the maps of a figure are made from.
struct FigureSource {
  const Document& document;
  const attention::Trace& trace;
  const FigureOptions& options;
  const KeptState* kept = nullptr;
  CommonLook* common = nullptr;  ///< of the figures of an animation; null: there is only this one

  /// One matrix of the present state.
  const attention::SharedMatrix& values(attention::Stage stage, attention::Index head) const {
    return attention::stage_matrix(document.problem, trace, stage, head);
  }
  /// The number of heads.
  attention::Index heads() const { return static_cast<attention::Index>(trace.heads.size()); }
};

/// "head 1" for head 0.
std::string head_name(attention::Index head);

/// The map of a stage, with its labels, range, numbers and marks.
Panel stage_panel(const FigureSource& source, attention::Stage stage, attention::Index head);

/// The map of the difference to − from (attention::difference), labelled as `like` is.
Panel difference_panel(const FigureSource& source, const Panel& like, const attention::Matrix& from,
                       const attention::Matrix& to);

/// The maps of any kind but kLines and kArithmetic, for a page `width` points wide with letters of
/// `font` points. Throws as stage_figure does.
Sheet stage_sheet(const FigureSource& source, double width, double font);

}  // namespace lab
