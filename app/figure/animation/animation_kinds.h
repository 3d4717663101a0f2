#pragma once

#include <string>
#include <vector>

#include "app/document/commands/command.h"
#include "app/figure/animation/animation.h"

// What can be animated. All kinds share the matrices of the documents they are given.

namespace lab::figure {

/// How a number moves.
struct Pace {
  int steps = 30;    ///< pictures from the one end to the other, both included; at least 2
  double fps = 15;   ///< pictures in a second
  bool back = true;  ///< and back again, so that it can be repeated without a jump
};

/// The steps that take that long; at least 2, and at most more than can be animated.
int steps_of(double seconds, double fps);

/// True when `command` has one number that can move: a cell of a matrix or an
/// override, the temperature, a head's scale, the dropout rate, the base of rotary positions, the
/// epsilon of the layer norm.
bool has_number(const Command& command);

/// What that number is called: "temperature", "W_Q, head 1 [it, 3]".
std::string number_label(const Document& document, const Command& command);

/// True for the kinds of figure that a walk can show: maps of one state.
bool is_walked(FigureKind kind);

/// Every stage that the model has, one after the other, as the map that `options` describe, of one
/// head, of two or of all. Fails with kUsage when they describe no map of one state.
Expected<Animation> walk_animation(const Document& document, const FigureOptions& options,
                                   double seconds = 1.5);

/// The number of `command` moves from `from` to `to`; both ends stand for a moment. The rest of the
/// command is as it is. Precondition: has_number(command). Its moments fail as apply() does.
Animation sweep_animation(const Document& document, const FigureOptions& options,
                          const Command& command, float from, float to, Pace pace = {});

/// Every number of the inputs moves from one state to the other (see between()); both stand for a
/// second. Fails with kUsage when they have other shapes.
Expected<Animation> edit_animation(const Document& from, const Document& to,
                                   const FigureOptions& options, Pace pace = {30, 15, false});

/// A state with what led to it.
struct State {
  Document document;
  std::string caption;
};
/// One state after the other, each for that long.
Animation states_animation(std::vector<State> states, const FigureOptions& options,
                           double seconds = 1.5);

}  // namespace lab::figure
