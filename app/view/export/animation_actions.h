#pragma once

#include <string>
#include <vector>

#include "app/view/export/export_files.h"
#include "app/view/export/figure_actions.h"
#include "app/view/state/ui.h"

namespace lab::view {

// Exporting animations, as configured in the export dialog.

/// Something that can be animated.
struct MotionChoice {
  Motion what = Motion::kWalk;
  std::string name;  ///< "temperature"
};

/// The choices in the export dialog.
std::vector<MotionChoice> motion_choices(const Ui& ui);

/// The chosen motion if it is offered, otherwise the walk.
Motion chosen_motion(const Ui& ui);

/// Chooses `motion` in the dialog; a number then gets suitable limits.
void choose_motion(Ui& ui, Motion motion);

/// The kinds of figure in which the chosen motion is visible.
std::vector<FigureChoice> moving_figures(const Ui& ui);

/// True when a single number changes from one limit to the other.
bool moves_number(Motion motion);

/// The name of the animation in file names: "weights-head-1-temperature".
std::string motion_stem(const Ui& ui);

/// A message why the animation cannot be made; empty when it can.
std::string motion_problem(const Ui& ui);

/// Draws one moment of the dialog's animation into `bounds`; for a model that would take too long,
/// the current figure.
void draw_motion_preview(Ui& ui, const Rect& bounds);

/// Makes files of the dialog's animation.
ExportMaker motion_maker(const Ui& ui);

}  // namespace lab::view
