#pragma once

#include "app/document/snapshot.h"
#include "app/figure/figure_options.h"

namespace lab::figure {

class CommonLook;

/// The data from which a figure or a page is made.
struct FigureSource {
  const Document& document;
  const attention::Trace& trace;
  const FigureOptions& options;
  const Snapshot* kept = nullptr;
  CommonLook* common = nullptr;  ///< of the figures of an animation; null for a single figure

  /// A matrix of the present state.
  const attention::SharedMatrix& values(attention::Stage stage, attention::Index head) const {
    return attention::stage_matrix(document.problem, trace, stage, head);
  }
  /// The number of heads.
  attention::Index heads() const { return static_cast<attention::Index>(trace.heads.size()); }
  /// The kept state with the same options. Precondition: there is one.
  FigureSource of_kept() const { return {kept->document, kept->trace, options, nullptr, nullptr}; }
};

}  // namespace lab::figure
