#include "app/view/export/animation_actions.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "app/base/bad_input.h"
#include "app/base/wording.h"
#include "app/document/commands/between.h"
#include "app/document/commands/reducer.h"
#include "app/document/model/shown_layer.h"
#include "app/document/training/training_document.h"
#include "app/figure/animation/animation.h"
#include "app/figure/animation/animation_file.h"
#include "app/figure/animation/animation_types.h"
#include "app/files/document_session.h"
#include "app/translation/words.h"
#include "app/view/editor/edit_block.h"
#include "app/view/export/figure_preview.h"
#include "app/view/export/figure_work.h"
#include "app/view/maps/heads.h"
#include "app/view/maps/navigation.h"
#include "app/view/maps/training_lines.h"
#include "app/view/state/ui.h"
#include "core/network/network_evaluator.h"

namespace lab::view {
namespace {

using attention::Index;

constexpr std::size_t kMostSteps = 120;

// The kept steps, evenly chosen by their numbers.
std::vector<std::uint64_t> steps_to_show(const TrainingPosition& position) {
  const auto history = position.run->history_of(position.branch);
  const auto& states = history.states();
  const std::size_t count = std::min(states.size(), kMostSteps);
  const std::uint64_t last = states.back()->step;
  std::vector<std::uint64_t> steps;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t even = count < 2 ? last : last * i / (count - 1);
    const std::uint64_t step = history.nearest(even)->step;
    if (steps.empty() || steps.back() < step) steps.push_back(step);
  }
  return steps;
}

// How long each is shown, in milliseconds: as long as the steps up to the next one take, so that
// learning has its own pace although not all steps are kept. The last one stays for a while.
std::vector<int> times_of(const std::vector<std::uint64_t>& steps, double seconds) {
  constexpr double kLastShare = 0.1;
  constexpr int kShortest = 20;
  const double whole = 1000 * seconds;
  const auto all = static_cast<double>(std::max<std::uint64_t>(1, steps.back() - steps.front()));
  std::vector<int> times;
  for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
    const double share = static_cast<double>(steps[i + 1] - steps[i]) / all;
    times.push_back(std::max(kShortest, static_cast<int>((1 - kLastShare) * whole * share)));
  }
  times.push_back(static_cast<int>(steps.size() > 1 ? kLastShare * whole : whole));
  return times;
}

// The layer at a step, with what the layers before it give.
Expected<Document> layer_at(const ModelDocument& model, const attention::network::LayerId& at,
                            std::uint64_t step) {
  return at_step(model, training_of(model)->branch, step).and_then([&](ModelDocument&& then) {
    return guarded([&] {
      attention::network::NetworkEvaluator evaluator;
      const auto& trace = evaluator.evaluate(then.network, tokens_of(then), then.interventions);
      return completed_layer(
          shown_layer(std::make_shared<const ModelDocument>(std::move(then)), at), trace,
          evaluator.pool());
    });
  });
}

// The shown layer, at kept steps of the branch of training that is shown, from the
// first to the last; of many, evenly chosen ones. Together they last `seconds`. Each moment is
// computed when it is asked for. Precondition: a model that is trained here is shown.
figure::Animation training_animation(const Ui& ui, const figure::FigureOptions& options,
                                     double seconds) {
  const auto steps = steps_to_show(*shown_training(ui));
  auto moment = [steps, options, times = times_of(steps, seconds),
                 layer = ui.document().layer](int number) -> Expected<figure::Moment> {
    const std::uint64_t step = steps.at(static_cast<std::size_t>(number));
    const int milliseconds = times.at(static_cast<std::size_t>(number));
    auto document = layer_at(*layer.model, layer.at, step);
    if (!document) return tl::make_unexpected(document.error());
    return figure::Moment{std::move(*document), options, tr("step ="),
                          grouped(static_cast<attention::Index>(step)), milliseconds};
  };
  return {static_cast<int>(steps.size()), std::move(moment)};
}

// Models with more scores are not evaluated for the preview, because the window would wait.
constexpr Index kMostPreviewed = 5000;

struct Limits {
  float from = 0, to = 1;
};

// A number and its limits.
struct Sweep {
  Command command;
  Limits limits;
};

// Its magnitude to both sides, at least 1.
Limits around(float value) {
  const float reach = std::isfinite(value) ? std::max(1.0f, std::ceil(std::abs(value))) : 1.0f;
  return std::isfinite(value) ? Limits{value - reach, value + reach} : Limits{-reach, reach};
}

std::optional<Sweep> edited_number(const Ui& ui) {
  const MatrixRef ref = edited_matrix(ui);
  if (ref.id == MatrixId::kMask || !is_editable(ui.problem(), ref.id)) return std::nullopt;
  const Cell cursor = ui.state.edit.cursor;
  const CellBlock cell{cursor.row, cursor.col, 1, 1};
  const attention::Matrix number = block_numbers(ui, cell);
  return Sweep{set_numbers(ui, cell, number), around(number(0, 0))};
}

std::optional<Sweep> selected_number(const Ui& ui) {
  const attention::CellRef ref = selected_ref(ui);
  const attention::Stage stage = ui.state.selection.stage;
  const int head = attention::is_per_head(stage) ? ui.state.head : 0;
  const auto row = static_cast<int>(ref.row), col = static_cast<int>(ref.col);
  const float value = (*stage_matrix(ui.problem(), ui.trace(), stage, head))(row, col);
  const bool is_share = holds_weights(stage);
  return Sweep{SetOverride{{stage, head, row, col}, value}, is_share ? Limits{} : around(value)};
}

std::optional<Sweep> sweep_of(const Ui& ui, Motion motion) {
  if (motion == Motion::kTemperature) return Sweep{SetTemperature{1}, {0.2f, 4}};
  if (motion == Motion::kHeadScale)
    return Sweep{SetHeadMix{.head = ui.state.head, .scale = 1.0f}, {0, 1}};
  if (motion == Motion::kNumber) return edited_number(ui);
  return motion == Motion::kCell ? selected_number(ui) : std::nullopt;
}

// The name of the choice; empty when there is nothing to animate.
std::string name_of(const Ui& ui, Motion motion) {
  const History& history = ui.workspace.history();
  if (motion == Motion::kWalk) return tr("from stage to stage");
  if (motion == Motion::kLastEdit)
    return history.before() != nullptr && check_between(*history.before(), ui.workspace.document())
               ? tr("the last edit: {}", {history.undo_label()})
               : "";
  if (motion == Motion::kStates)
    return ui.state.compare.a &&
                   check_between(ui.state.compare.a->document, ui.workspace.document())
               ? tr("from A to B")
               : "";
  if (motion == Motion::kTraining)
    return shown_training(ui) != nullptr ? tr("the training, step by step") : "";
  const auto sweep = sweep_of(ui, motion);
  if (!sweep || !lab::apply(ui.document(), sweep->command)) return "";
  const std::string number = figure::number_label(ui.document(), sweep->command);
  return motion == Motion::kCell ? tr("{}, overridden", {number}) : number;
}

figure::Pace pace_of(const MotionState& motion) {
  figure::Pace pace;
  pace.back = motion.back && moves_number(motion.what);
  pace.steps = figure::steps_of(motion.seconds, pace.fps);
  return pace;
}

Expected<figure::Animation> animation_of(const Ui& ui) {
  MotionState motion = ui.state.dialog.exporting.motion;
  motion.what = chosen_motion(ui);
  const figure::FigureOptions figure = export_options(ui);
  if (motion.what == Motion::kWalk)
    return figure::walk_animation(ui.document(), figure, motion.seconds);
  if (motion.what == Motion::kLastEdit)
    return figure::edit_animation(*ui.workspace.history().before(), ui.workspace.document(), figure,
                                  pace_of(motion));
  if (motion.what == Motion::kStates)
    return figure::edit_animation(ui.state.compare.a->document, ui.workspace.document(), figure,
                                  pace_of(motion));
  if (motion.what == Motion::kTraining) return training_animation(ui, figure, motion.seconds);
  return figure::sweep_animation(ui.document(), figure, sweep_of(ui, motion.what)->command,
                                 motion.from, motion.to, pace_of(motion));
}

figure::FigureImage moment_image(const Ui& ui, double width, double height) {
  const auto animation = animation_of(ui);
  if (!animation) return {};
  auto figures = figure::AnimationFigures::measured(*animation, ui.state.compare.a.get());
  if (!figures) return {};
  const double shown = ui.state.dialog.exporting.motion.shown;
  const auto timed = figures->at(static_cast<int>(std::lround(shown * (figures->count() - 1))));
  if (!timed) return {};
  return figure::figure_image(timed->figure,
                              std::min(width / figures->width(), height / figures->height()));
}

}  // namespace

std::vector<MotionChoice> motion_choices(const Ui& ui) {
  std::vector<MotionChoice> choices;
  for (const Motion motion :
       {Motion::kWalk, Motion::kNumber, Motion::kCell, Motion::kTemperature, Motion::kHeadScale,
        Motion::kLastEdit, Motion::kStates, Motion::kTraining})
    if (std::string name = name_of(ui, motion); !name.empty())
      choices.push_back({motion, std::move(name)});
  return choices;
}

Motion chosen_motion(const Ui& ui) {
  const Motion motion = ui.state.dialog.exporting.motion.what;
  return name_of(ui, motion).empty() ? Motion::kWalk : motion;
}

void choose_motion(Ui& ui, Motion motion) {
  MotionState& state = ui.state.dialog.exporting.motion;
  state.what = motion;
  state.seconds = motion == Motion::kWalk ? 1.5 : motion == Motion::kTraining ? 8 : 2;
  if (const auto sweep = sweep_of(ui, motion))
    state.from = sweep->limits.from, state.to = sweep->limits.to;
}

std::vector<FigureChoice> moving_figures(const Ui& ui) {
  std::vector<FigureChoice> choices = figure_choices(ui);
  if (chosen_motion(ui) != Motion::kWalk) return choices;
  std::erase_if(choices, [](const FigureChoice& one) { return !figure::is_walked(one.type); });
  const std::string head = head_number(ui.document(), ui.state.head);
  for (FigureChoice& one : choices) {  // the stage changes from frame to frame
    if (one.type == figure::FigureType::kMap) one.name = head_in_text(ui.document(), ui.state.head);
    if (one.type == figure::FigureType::kHeads) one.name = tr("all heads");
    if (one.type == figure::FigureType::kTwoHeads)
      one.name = tr("heads {} and {}, and their difference",
                    {head, head_number(ui.document(), second_head(ui))});
  }
  return choices;
}

bool moves_number(Motion motion) {
  return motion != Motion::kWalk && motion != Motion::kLastEdit && motion != Motion::kStates &&
         motion != Motion::kTraining;
}

std::string motion_stem(const Ui& ui) {
  constexpr std::pair<Motion, const char*> kNames[] = {
      {Motion::kWalk, "walk"},          {Motion::kNumber, "number"},
      {Motion::kCell, "override"},      {Motion::kTemperature, "temperature"},
      {Motion::kHeadScale, "scale"},    {Motion::kLastEdit, "edit"},
      {Motion::kStates, "from-a-to-b"}, {Motion::kTraining, "training"}};
  const auto* name =
      std::ranges::find(kNames, chosen_motion(ui), [](const auto& n) { return n.first; });
  return figure_stem(ui) + "-" + name->second;
}

std::string motion_problem(const Ui& ui) {
  const auto animation = animation_of(ui);
  if (!animation) return animation.error().message;
  if (animation->count > figure::kMostMoments)
    return tr("These would be {} frames; an animation has up to {}.",
              {std::to_string(animation->count), std::to_string(figure::kMostMoments)});
  const MotionState& motion = ui.state.dialog.exporting.motion;
  const bool back = motion.back && moves_number(chosen_motion(ui));
  for (const int end : {0, back ? animation->count / 2 : animation->count - 1})
    if (const auto moment = animation->moment(end); !moment) return moment.error().message;
  return {};
}

void draw_motion_preview(Ui& ui, const Rect& bounds) {
  const attention::Problem& problem = ui.problem();
  const attention::Shape scores = stage_shape(problem, attention::Stage::kScores);
  if (scores.rows * scores.cols * problem.config.n_heads > kMostPreviewed)
    return draw_export_preview(ui, bounds);
  PreviewKey key = preview_key(ui, bounds);
  key.motion = ui.state.dialog.exporting.motion;
  key.moving = name_of(ui, chosen_motion(ui));
  ui.preview.draw(ui.canvas(), bounds, key, [&] {
    return moment_image(ui, static_cast<double>(bounds.w), static_cast<double>(bounds.h));
  });
}

ExportMaker motion_maker(const Ui& ui) {
  return [dpi = ui.state.dialog.exporting.figure.dpi, document = ui.document(),
          animation = animation_of(ui), kept = ui.state.compare.a](
             const std::string& ending, attention::WorkWatch& watch) -> Expected<ExportedFile> {
    if (!animation) return tl::make_unexpected(animation.error());
    const figure::AnimationFormat& format = *figure::animation_format(ending);
    const figure::WriteOptions writing{dpi, files::embedded_document_session(document), &watch};
    auto bytes = figure::animation_file(*animation, format, writing, kept.get());
    if (!bytes) return tl::make_unexpected(bytes.error());
    return ExportedFile{std::move(*bytes)};
  };
}

}  // namespace lab::view
