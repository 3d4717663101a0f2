#pragma once

#include <string>
#include <vector>

#include "app/figure/figure_options.h"
#include "app/view/maps/heat_map.h"

// The colour ranges of the stages' maps.

namespace lab::view {

/// The colour range of `stage` of the focused head.
figure::Range shown_range(Ui& ui, attention::Stage stage);
/// The colour range of `stage` that is the same for all heads: of thumbnails, and of heads side by
/// side.
figure::Range range_of_heads(Ui& ui, attention::Stage stage);
/// The colour range of `weights`, the mean, the maximum or the `difference` of several heads.
figure::Range heads_together_range(Ui& ui, const attention::SharedMatrix& weights, bool difference);
/// What the colour bar says of `range`, which the map of `stage` has, when it is not the default
/// one: "0…max", "2–98 %", "log" …; empty otherwise.
std::vector<std::string> range_notes(const Ui& ui, attention::Stage stage,
                                     const figure::Range& range);

/// Chooses for the map of `stage` alone. Ranges become fixed as they are shown.
void choose_range(Ui& ui, attention::Stage stage, RangeChoice choice);
/// Chooses for all maps; choices for single maps end.
void choose_all_ranges(Ui& ui, RangeChoice choice);
/// The map of `stage` follows the choice for all maps again.
void follow_all_ranges(Ui& ui, attention::Stage stage);
/// Sets the ends of the range of `stage`, which becomes fixed. Precondition: lo < hi.
void fix_range(Ui& ui, attention::Stage stage, float lo, float hi);

/// The range of a figure of `stage` as the window shows it: sets rule, ends and spread.
void use_shown_range(const Ui& ui, attention::Stage stage, figure::FigureOptions& figure);

}  // namespace lab::view
