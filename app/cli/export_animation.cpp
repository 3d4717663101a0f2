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

int mode_count(const AnimationArguments& arguments) {
  return int{arguments.walk} + int{!arguments.sweep.empty()} + int{!arguments.edit.empty()} +
         int{!arguments.edits.empty()};
}

// True for animations that change a number smoothly, rather than showing one stage or state after
// another.
bool moves(const AnimationArguments& arguments) {
  return !arguments.sweep.empty() || !arguments.edit.empty();
}

Expected<void> check_pace(const AnimationArguments& arguments) {
  if (!moves(arguments) && (arguments.frames || arguments.fps || arguments.once))
    return fail(ErrorType::kUsage,
                "--frames, --fps and --once are for --sweep and --edit; for --walk and --edits, "
                "--seconds sets how long each step is shown");
  if (arguments.once && arguments.sweep.empty())
    return fail(ErrorType::kUsage, "--once is for --sweep; --edit never goes back");
  if (arguments.frames && arguments.seconds && arguments.fps)
    return fail(ErrorType::kUsage,
                "give at most two of --frames, --fps and --seconds; the third follows");
  const bool back = !arguments.sweep.empty() && !arguments.once;
  const int most = back ? figure::kMostMoments / 2 + 1
                        : figure::kMostMoments;  // the turning points are shown once
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
  const auto text = files::read_text_file(path, kLargestCommandFile);
  if (!text) return tl::make_unexpected(text.error());
  Workspace workspace(History::for_replay(document));
  std::vector<figure::State> states{{document, "0 · start"}};
  const auto add = [&](const std::string& step) -> Expected<void> {
    if (states.size() == std::size_t{figure::kMostMoments})
      return fail(ErrorType::kUsage, command_file_name(path) + " has more than " +
                                         std::to_string(figure::kMostMoments - 1) +
                                         " edits, too many for an animation");
    states.push_back({workspace.document(), std::to_string(states.size()) + " · " + step});
    return {};
  };
  if (auto done = apply_lines(workspace, *text, command_file_name(path), add); !done)
    return tl::make_unexpected(done.error());
  return states;
}

// True if the stage has the same numbers in both states, in every head.
bool same_numbers(attention::Stage stage, const Document& from, const Document& to) {
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

// Sweeping a number that the stage does not depend on is allowed, but noted.
void note_if_unaffected(const figure::Animation& animation, int last,
                        const figure::FigureOptions& figure) {
  const auto first = animation.moment(0), end = animation.moment(last);
  if (!first || !end || figure.type == figure::FigureType::kPipeline) return;
  if (same_numbers(figure.stage, first->document, end->document))
    print_note(
        "--sweep: " + std::string(stage_name(figure.stage)) +
        " does not depend on this number in this model, so nothing changes in the animation");
}

Expected<figure::Animation> sweep_of(const AnimationArguments& arguments, const Document& document,
                                     const figure::FigureOptions& figure) {
  const auto sweep = parse_sweep(arguments.sweep, document);
  if (!sweep) return tl::make_unexpected(sweep.error());
  const figure::Pace pace = pace_of(arguments);
  figure::Animation animation =
      figure::sweep_animation(document, figure, sweep->command, sweep->from, sweep->to, pace);
  note_if_unaffected(animation, pace.steps - 1, figure);
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
  add_flag("--walk", arguments.walk, "show every stage in turn (--head N or all)");
  add("--sweep", arguments.sweep, "NAME=A..B", kSweepHelp);
  add("--edit", arguments.edit, "OTHER",
      "change every number gradually from IN to OTHER, a model of the\nsame sizes");
  add("--edits", arguments.edits, "FILE",
      "show the state after each command in FILE (see apply --help)");
  add("--frames", arguments.frames, "N",
      "frames from A to B, 2 to 501, or 1000 with --once or --edit (30)");
  add("--fps", arguments.fps, "F", "frames per second, 0.1 to 50 (15)");
  add("--seconds", arguments.seconds, "S",
      "duration from A to B (2); with --walk and --edits, how long each\nstep is shown (1.5)");
  add_flag("--once", arguments.once, "sweep from A to B only, without going back");
}

bool any_set(const AnimationArguments& arguments) {
  return mode_count(arguments) > 0 || arguments.once || arguments.frames || arguments.fps ||
         arguments.seconds;
}

Expected<void> check_animation(const AnimationArguments& arguments, const std::string& output) {
  const bool moving = figure::animation_format(files::ending_of(output)) != nullptr;
  if (!moving && any_set(arguments))
    return fail(ErrorType::kUsage, in_quotes(output) +
                                       " is not an animation, but --walk, --sweep, --edit and "
                                       "--edits make one; use the extension .webp or .gif");
  if (!moving) return {};
  if (mode_count(arguments) != 1)
    return fail(ErrorType::kUsage, in_quotes(output) +
                                       " is an animation; choose what changes with one of "
                                       "--walk, --sweep NAME=A..B, --edit OTHER or --edits FILE");
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
