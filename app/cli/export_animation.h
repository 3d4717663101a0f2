#pragma once

#include <optional>
#include <string>

#include "app/figure/animation/animation_types.h"

namespace CLI {
class App;
}

namespace lab::cli {

/// Command-line options that say what an animation shows and how fast.
struct AnimationArguments {
  bool walk = false;
  std::string sweep, edit, edits;  ///< empty: not set
  bool once = false;
  std::optional<int> frames;
  std::optional<double> fps, seconds;
};

/// Adds --walk, --sweep, --edit, --edits, --frames, --fps, --seconds and --once.
void add_animation_options(CLI::App& app, AnimationArguments& arguments);

/// True if any of the animation options was set.
bool any_set(const AnimationArguments& arguments);

/// Checks that the options fit the output. If `output` has the extension of an animation, exactly
/// one of --walk, --sweep, --edit and --edits must be set, with matching speed options; otherwise
/// none of them may be set. Fails with kUsage.
Expected<void> check_animation(const AnimationArguments& arguments, const std::string& output);

/// Builds the animation of `document`, reading the files that --edit and --edits name. Fails if
/// they cannot be read, and with kUsage for invalid options. Precondition: check_animation()
/// succeeded.
Expected<figure::Animation> animation_of(const AnimationArguments& arguments,
                                         const Document& document,
                                         const figure::FigureOptions& figure);

}  // namespace lab::cli
