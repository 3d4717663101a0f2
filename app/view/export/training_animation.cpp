#include "app/view/export/training_animation.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "app/base/bad_input.h"
#include "app/base/wording.h"
#include "app/document/model/shown_layer.h"
#include "app/document/training/training_document.h"
#include "app/translation/words.h"
#include "app/view/maps/training_lines.h"
#include "core/network/network_evaluator.h"

namespace lab::view {
namespace {

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

}  // namespace

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

}  // namespace lab::view
