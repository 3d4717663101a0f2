#include "app/cli/export_animation.h"

#include <CLI/CLI.hpp>
#include <cstring>

#include "app/base/bad_input.h"
#include "app/cli/arguments.h"
#include "app/cli/command_lines.h"
#include "app/cli/sweep_argument.h"
#include "app/cli/verb.h"
#include "app/figure/animation/animation_file.h"
#include "app/files/io/bytes.h"
#include "core/layer/evaluator.h"

namespace lab::cli {
namespace {

int kinds_of(const AnimationArguments& arguments) {
  return int{arguments.walk} + int{!arguments.sweep.empty()} + int{!arguments.edit.empty()} +
         int{!arguments.edits.empty()};
}

// True when a number moves, and not one stage or state follows the other.
bool moves(const AnimationArguments& arguments) {
  return !arguments.sweep.empty() || !arguments.edit.empty();
}

Expected<void> check_pace(const AnimationArguments& arguments) {
  if (!moves(arguments) && (arguments.frames || arguments.fps || arguments.once))
    return fail(ErrorKind::kUsage,
                "--frames, --fps and --once are for --sweep and --edit; --seconds says how long "
                "each frame is shown");
  if (arguments.once && arguments.sweep.empty())
    return fail(ErrorKind::kUsage, "--once is for --sweep; --edit goes one way");
  if (arguments.frames && arguments.seconds && arguments.fps)
    return fail(ErrorKind::kUsage, "two of --frames, --fps and --seconds give the third");
  const bool back = !arguments.sweep.empty() && !arguments.once;
  const int most =
      back ? figure::kMostMoments / 2 + 1 : figure::kMostMoments;  // the ends come once
  for (const Expected<void>& fits :
       {check_between("--frames", arguments.frames.value_or(2), 2, most),
        check_between("--fps", arguments.fps.value_or(1), 0.1, 50),
        check_between("--seconds", arguments.seconds.value_or(1), 0.1, 60)})
    if (!fits) return fits;
  return {};
}

figure::Pace pace_of(const AnimationArguments& arguments) {
  figure::Pace pace;
  pace.back = !arguments.sweep.empty() && !arguments.once;
  const double seconds = arguments.seconds.value_or(2);
  pace.fps = arguments.fps.value_or(15);
  pace.steps = arguments.frames.value_or(figure::steps_of(seconds, pace.fps));
  if (arguments.frames && arguments.seconds)
    pace.fps = std::clamp(*arguments.frames / seconds, 0.1, 50.0);
  return pace;
}

Expected<std::vector<figure::State>> states_of(const std::string& path, const Document& document) {
  const auto text = files::read_bytes(path, kLargestCommandFile);
  if (!text) return tl::make_unexpected(text.error());
  Workspace workspace(document);
  std::vector<figure::State> states{{document, "0 · start"}};
  const auto add = [&](const std::string& step) -> Expected<void> {
    if (states.size() == std::size_t{figure::kMostMoments})
      return fail(ErrorKind::kUsage, command_file_name(path) + " has more than " +
                                         std::to_string(figure::kMostMoments - 1) +
                                         " edits, too many for an animation");
    states.push_back({workspace.document(), std::to_string(states.size()) + " · " + step});
    return {};
  };
  if (auto done = apply_lines(workspace, *text, command_file_name(path), add); !done)
    return tl::make_unexpected(done.error());
  return states;
}

// True when the numbers of that stage are the same in both states, in every head.
bool stands_still(attention::Stage stage, const Document& from, const Document& to) {
  attention::Evaluator evaluator;
  const attention::Trace before = evaluator.evaluate(from.problem);
  const attention::Trace after = evaluator.evaluate(to.problem);
  for (attention::Index head = 0; head < from.problem.config.n_heads; ++head) {
    const attention::Matrix& a = *stage_matrix(from.problem, before, stage, head);
    const attention::Matrix& b = *stage_matrix(to.problem, after, stage, head);
    if (std::memcmp(a.data(), b.data(), sizeof(float) * static_cast<std::size_t>(a.size())) != 0)
      return false;
  }
  return true;
}

// Sweeping a number on which the figure does not depend is reported.
void tell_if_it_stands_still(const figure::Animation& animation, int last,
                             const figure::FigureOptions& figure) {
  const auto first = animation.moment(0), end = animation.moment(last);
  if (!first || !end || figure.kind == figure::FigureKind::kPipeline) return;
  if (stands_still(figure.stage, first->document, end->document))
    tell("--sweep: " + std::string(stage_name(figure.stage)) +
         " does not depend on this number in the present model; the figure does not change");
}

Expected<figure::Animation> sweep_of(const AnimationArguments& arguments, const Document& document,
                                     const figure::FigureOptions& figure) {
  const auto sweep = parse_sweep(arguments.sweep, document);
  if (!sweep) return tl::make_unexpected(sweep.error());
  const figure::Pace pace = pace_of(arguments);
  figure::Animation animation =
      figure::sweep_animation(document, figure, sweep->command, sweep->from, sweep->to, pace);
  tell_if_it_stands_still(animation, pace.steps - 1, figure);
  return animation;
}

Expected<figure::Animation> edit_of(const AnimationArguments& arguments, const Document& document,
                                    const figure::FigureOptions& figure) {
  const auto other = open_input(arguments.edit);
  if (!other) return tl::make_unexpected(other.error());
  return figure::edit_animation(document, *other, figure, pace_of(arguments));
}

}  // namespace

void add_animation_options(CLI::App& app, AnimationArguments& arguments) {
  const auto add = [&app](const char* name, auto& value, const char* type, const char* text) {
    app.add_option(name, value, text)->type_name(type)->group("For animations");
  };
  const auto add_flag = [&app](const char* name, bool& value, const char* text) {
    app.add_flag(name, value, text)->group("For animations");
  };
  add_flag("--walk", arguments.walk, "every stage, one after the other (--head N or all)");
  add("--sweep", arguments.sweep, "NAME=A..B", kSweepHelp);
  add("--edit", arguments.edit, "OTHER", "from IN to OTHER, of the same sizes, number by number");
  add("--edits", arguments.edits, "FILE", "a frame after each command (see apply --help)");
  add("--frames", arguments.frames, "N", "frames from A to B, 2 to 501, with --once 1000 (30)");
  add("--fps", arguments.fps, "F", "frames per second, 0.1 to 50 (15)");
  add("--seconds", arguments.seconds, "S",
      "from A to B (2); with --walk and --edits how long each frame\nis shown (1.5)");
  add_flag("--once", arguments.once, "the sweep does not go back again");
}

bool is_asked_for(const AnimationArguments& arguments) {
  return kinds_of(arguments) > 0 || arguments.once || arguments.frames || arguments.fps ||
         arguments.seconds;
}

Expected<void> check_animation(const AnimationArguments& arguments, const std::string& output) {
  const bool moving = figure::animation_format(files::ending_of(output)) != nullptr;
  if (!moving && is_asked_for(arguments))
    return fail(ErrorKind::kUsage, in_quotes(output) +
                                       " is no animation, which --walk, --sweep, --edit and "
                                       "--edits are for; give it the ending .webp or .gif");
  if (!moving) return {};
  if (kinds_of(arguments) != 1)
    return fail(ErrorKind::kUsage, in_quotes(output) +
                                       " is an animation: say what moves, by one of --walk, "
                                       "--sweep NAME=A..B, --edit OTHER and --edits FILE");
  return check_pace(arguments);
}

Expected<figure::Animation> animation_of(const AnimationArguments& arguments,
                                         const Document& document,
                                         const figure::FigureOptions& figure) {
  if (!arguments.sweep.empty()) return sweep_of(arguments, document, figure);
  if (!arguments.edit.empty()) return edit_of(arguments, document, figure);
  const double seconds = arguments.seconds.value_or(1.5);
  if (arguments.walk) return figure::walk_animation(document, figure, seconds);
  auto states = states_of(arguments.edits, document);
  if (!states) return tl::make_unexpected(states.error());
  return figure::states_animation(std::move(*states), figure, seconds);
}

}  // namespace lab::cli
