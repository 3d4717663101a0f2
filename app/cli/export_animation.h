#pragma once

#include <optional>
#include <string>

#include "app/figure/animation/animation_kinds.h"

namespace CLI {
class App;
}

namespace lab::cli {

/// What changes in an animation and how fast, as given on the command line.
struct AnimationArguments {
  bool walk = false;
  std::string sweep, edit, edits;  ///< empty: not asked for
  bool once = false;
  std::optional<int> frames;
  std::optional<double> fps, seconds;
};

/// Adds --walk, --sweep, --edit, --edits, --frames, --fps, --seconds and --once.
void add_animation_options(CLI::App& app, AnimationArguments& arguments);

/// True when any of these was given.
bool is_asked_for(const AnimationArguments& arguments);

/// Fails with kUsage unless OUT is an animation, as `output` says by its ending, and exactly one
/// thing moves, at a pace that suits it; or neither.
Expected<void> check_animation(const AnimationArguments& arguments, const std::string& output);

/// The animation of `document`. Opens what --edit and --edits name; fails as that does, and with
/// kUsage. Precondition: check_animation passed.
Expected<figure::Animation> animation_of(const AnimationArguments& arguments,
                                         const Document& document,
                                         const figure::FigureOptions& figure);

}  // namespace lab::cli
