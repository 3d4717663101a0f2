#pragma once

#include <string>
#include <vector>

#include "app/document/commands/command.h"
#include "app/figure/animation/animation.h"

// What can be animated. The documents of an animation share the matrices of those it is made from.

namespace lab::figure {

/// How a number changes over time.
struct Pace {
  int steps = 30;    ///< frames from one end to the other, both included; at least 2
  double fps = 15;   ///< frames per second
  bool back = true;  ///< then back again, so that it loops without a jump
};

/// The number of steps that take that long; at least 2, and capped just above the limit of an
/// animation.
int steps_of(double seconds, double fps);

/// True when `command` has one number that can be animated: a cell of a matrix, of the score bias
/// or an override, the temperature, the scale of a head, the dropout rate, the base of rotary
/// positions, the epsilon of the layer norm.
bool has_number(const Command& command);

/// The name of that number: "temperature", "W_Q, head 1 [it, 3]".
std::string number_label(const Document& document, const Command& command);

/// True for the types of figure that a walk can show: maps of a single state.
bool is_walked(FigureType type);

/// Every stage of the model in turn, as the map that `options` describe, of one head, two heads or
/// all. Fails with kUsage when they do not describe a map of a single state.
Expected<Animation> walk_animation(const Document& document, const FigureOptions& options,
                                   double seconds = 1.5);

/// Moves the number of `command` from `from` to `to` and pauses at both ends; the rest of the
/// command stays as it is. Precondition: has_number(command). Its moments fail as apply() does.
Animation sweep_animation(const Document& document, const FigureOptions& options,
                          const Command& command, float from, float to, Pace pace = {});

/// Moves every number of the inputs from one state to the other (see between()), showing each end
/// for a second. Fails with kUsage when their shapes differ.
Expected<Animation> edit_animation(const Document& from, const Document& to,
                                   const FigureOptions& options, Pace pace = {30, 15, false});

/// A state and a caption that says what led to it.
struct State {
  Document document;
  std::string caption;
};
/// One state after the other, each shown for `seconds`.
Animation states_animation(std::vector<State> states, const FigureOptions& options,
                           double seconds = 1.5);

}  // namespace lab::figure
