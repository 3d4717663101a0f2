#include "app/figure/animation/animation_types.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "app/base/wording.h"
#include "app/document/commands/between.h"
#include "app/document/commands/reducer.h"
#include "app/document/matrix_labels.h"
#include "app/explain/number_text.h"
#include "app/explain/stage_text.h"
#include "app/translation/words.h"

namespace lab::figure {
namespace {

using attention::Stage;

constexpr int kHoldEnd = 500;     // milliseconds for which the ends of a sweep are shown
constexpr int kHoldState = 1000;  // and the two states of an edit

int milliseconds_of(double seconds) {
  constexpr double kLongest = 60;
  return static_cast<int>(std::lround(1000 * std::clamp(seconds, 0.01, kLongest)));
}

/// How long frame `number` is shown at that frame rate; rounding errors do not add up.
int duration(int number, double fps) {
  const auto begin = [&](int n) { return std::lround(1000 * n / fps); };
  return static_cast<int>(begin(number + 1) - begin(number));
}

int count_of(const Pace& pace) { return pace.back ? 2 * pace.steps - 2 : pace.steps; }

/// The step that frame `number` shows.
int step_of(const Pace& pace, int number) {
  return number < pace.steps ? number : 2 * pace.steps - 2 - number;
}

/// The position of a moving number in a frame.
struct FrameTiming {
  double share = 0;  // 0 … 1 of the way
  int milliseconds = 0;
};

FrameTiming timing_of(const Pace& pace, int number, int hold) {
  const int step = step_of(pace, number);
  const bool end = step == 0 || step == pace.steps - 1;
  return {static_cast<double>(step) / (pace.steps - 1), end ? hold : duration(number, pace.fps)};
}

/// The number of a command that can be animated, or null.
struct NumberOf {
  template <const LayerNumber& kRecord>
  float* operator()(SetNumber<kRecord>& c) const {
    return &c.value;
  }
  float* operator()(SetOverride& c) const { return &c.value; }
  float* operator()(SetCell& c) const { return &c.value; }
  float* operator()(SetHeadMix& c) const { return c.scale ? &*c.scale : nullptr; }
  float* operator()(SetDropout& c) const { return c.rate ? &*c.rate : nullptr; }
  float* operator()(SetPositions& c) const { return c.base ? &*c.base : nullptr; }
  float* operator()(SetLayerNorm& c) const { return c.epsilon ? &*c.epsilon : nullptr; }
  template <typename Other>
  float* operator()(Other&) const {
    return nullptr;
  }
};

std::string cell_text(const std::string& row, const std::string& column) {
  return " [" + row + ", " + column + "]";
}

/// The name of the number of a command.
struct LabelOf {
  const Document& document;

  template <const LayerNumber& kRecord>
  std::string operator()(const SetNumber<kRecord>&) const {
    return tr(kRecord.moving);
  }
  std::string operator()(const SetDropout&) const { return tr("dropout"); }
  std::string operator()(const SetPositions&) const { return tr("rotary base"); }
  std::string operator()(const SetLayerNorm&) const { return tr("epsilon"); }
  std::string operator()(const SetHeadMix& c) const {
    return tr("scale of {}", {head_in_text(document, c.head)});
  }
  std::string operator()(const SetCell& c) const {
    const std::string row = matrix_row_label(document, c.matrix.id, c.row);
    const std::string column = matrix_column_label(document, c.matrix.id, c.col);
    const bool one_row = row == matrix_name(c.matrix.id);
    return in_head(name_in_words(matrix_name(c.matrix.id)), is_per_head(c.matrix.id),
                   c.matrix.head) +
           (one_row ? " [" + column + "]" : cell_text(row, column));
  }
  std::string operator()(const SetOverride& c) const {
    return in_head(name_in_words(stage_name(c.cell.stage)), is_per_head(c.cell.stage),
                   c.cell.head) +
           cell_text(row_label(document, c.cell.stage, c.cell.row),
                     column_label(document, c.cell.stage, c.cell.col));
  }
  template <typename Other>
  std::string operator()(const Other&) const {
    return {};
  }

 private:
  std::string in_head(const std::string& name, bool per_head, int head) const {
    return per_head ? tr("{}, {}", {name, head_in_text(document, head)}) : name;
  }
};

/// Enough decimals to distinguish a hundred values between the two.
int decimals_between(float from, float to) {
  const double span = std::abs(static_cast<double>(to) - from);
  if (!(span > 0) || !std::isfinite(span)) return 2;
  return std::clamp(2 - static_cast<int>(std::floor(std::log10(span))), 0, 6);
}

}  // namespace

bool is_walked(FigureType type) {
  return type == FigureType::kMap || type == FigureType::kHeads || type == FigureType::kTwoHeads;
}

int steps_of(double seconds, double fps) {
  return static_cast<int>(std::lround(std::clamp(seconds * fps, 2.0, kMostMoments + 1.0)));
}

bool has_number(const Command& command) {
  Command copy = command;
  return std::visit(NumberOf{}, copy) != nullptr;
}

std::string number_label(const Document& document, const Command& command) {
  return std::visit(LabelOf{document}, command);
}

Expected<Animation> walk_animation(const Document& document, const FigureOptions& options,
                                   double seconds) {
  if (!is_walked(options.type))
    return fail(ErrorType::kUsage,
                "a walk shows maps, stage by stage: of one head, of two or of "
                "all");
  const std::vector<Stage> stages = explain::pipeline_stages(document.problem);
  const int time = milliseconds_of(seconds);
  const auto moment = [=](int number) -> Expected<Moment> {
    Moment shown{document, options};
    shown.options.stage = stages[static_cast<std::size_t>(number)];
    shown.caption =
        std::to_string(number + 1) + " · " + explain::full_stage_title(shown.options.stage);
    shown.milliseconds = time;
    return shown;
  };
  return Animation{static_cast<int>(stages.size()), moment};
}

Animation sweep_animation(const Document& document, const FigureOptions& options,
                          const Command& command, float from, float to, Pace pace) {
  const std::string label = number_label(document, command) + " =";
  const int decimals = decimals_between(from, to);
  const auto moment = [=](int number) -> Expected<Moment> {
    const FrameTiming timing = timing_of(pace, number, kHoldEnd);
    const auto value = static_cast<float>(std::lerp(double{from}, double{to}, timing.share));
    Command changed = command;
    *std::visit(NumberOf{}, changed) = value;
    auto state = lab::apply(document, changed);
    if (!state) return tl::make_unexpected(state.error());
    return Moment{std::move(*state), options, label,
                  explain::with_minus_signs(explain::format_fixed(value, decimals)),
                  timing.milliseconds};
  };
  return {count_of(pace), moment};
}

Expected<Animation> edit_animation(const Document& from, const Document& to,
                                   const FigureOptions& options, Pace pace) {
  if (const auto fits = check_between(from, to); !fits) return tl::make_unexpected(fits.error());
  const auto moment = [=](int number) -> Expected<Moment> {
    const FrameTiming timing = timing_of(pace, number, kHoldState);
    auto state = between(from, to, timing.share);
    if (!state) return tl::make_unexpected(state.error());
    return Moment{std::move(*state), options, "A → B", explain::percent_text(timing.share),
                  timing.milliseconds};
  };
  return Animation{count_of(pace), moment};
}

Animation states_animation(std::vector<State> states, const FigureOptions& options,
                           double seconds) {
  const int count = static_cast<int>(std::min<std::size_t>(states.size(), kMostMoments + 1));
  const auto shared = std::make_shared<const std::vector<State>>(std::move(states));
  const int time = milliseconds_of(seconds);
  const auto moment = [=](int number) -> Expected<Moment> {
    const State& state = (*shared)[static_cast<std::size_t>(number)];
    return Moment{state.document, options, state.caption, {}, time};
  };
  return {count, moment};
}

}  // namespace lab::figure
