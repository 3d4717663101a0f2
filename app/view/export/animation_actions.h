#pragma once

#include <string>
#include <vector>

#include "app/view/export/figure_actions.h"
#include "app/view/state/ui.h"

namespace lab::view {

// Animations that are written to files, as the export dialog describes them.

/// What can move of what is there.
struct MotionChoice {
  Motion what = Motion::kWalk;
  std::string name;  ///< "temperature"
};

/// What the export dialog offers.
std::vector<MotionChoice> motion_choices(const Ui& ui);

/// The chosen one where it is offered, else the walk.
Motion chosen_motion(const Ui& ui);

/// Makes it what the dialog describes; a number then moves between limits that suit it.
void choose_motion(Ui& ui, Motion motion);

/// The kinds of figure in which the chosen motion can be seen.
std::vector<FigureChoice> moving_figures(const Ui& ui);

/// True when it is one number that moves, from one limit to the other.
bool moves_number(Motion motion);

/// What the animation is called in file names: "weights-head-1-temperature".
std::string motion_stem(const Ui& ui);

/// Why there is no such animation, for a person; empty when there is one.
std::string motion_problem(const Ui& ui);

/// Draws one moment of the animation that the dialog describes into `place`; of a model for which
/// that would take too long, the figure as it is now.
void draw_motion_preview(Ui& ui, const Rect& place);

/// Writes the animation that the export dialog describes, of the kind that the path's ending says.
void export_motion(Ui& ui, const std::string& path);

}  // namespace lab::view
