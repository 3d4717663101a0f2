#include "app/view/export/training_animation.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "app/base/bad_input.h"
#include "app/base/wording.h"
#include "app/document/model/seen_layer.h"
#include "app/document/training/training_document.h"
#include "app/translation/words.h"
#include "app/view/maps/training_lines.h"
#include "core/network/network_evaluator.h"

namespace lab::view {
namespace {

constexpr std::size_t kMostSteps = 120;

// The kept steps, evenly chosen by their numbers.
std::vector<std::uint64_t> steps_to_show(const TrainingPlace& place) {
  const auto history = place.run->history_of(place.branch);
  const auto& states = history.states();
  const std::size_t count = std::min(states.size(), kMostSteps);
  const std::uint64_t last = states.back()->step;
  std::vector<std::uint64_t> steps;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t wanted = count < 2 ? last : last * i / (count - 1);
    const std::uint64_t step = history.nearest(wanted)->step;
    if (steps.empty() || steps.back() < step) steps.push_back(step);
  }
  return steps;
}

// The layer at a step, with what the layers before it give.
Expected<Document> layer_at(const ModelDocument& model, const attention::network::LayerPlace& at,
                            std::uint64_t step) {
  return at_step(model, training_of(model)->branch, step).and_then([&](ModelDocument&& then) {
    return guarded([&] {
      attention::network::NetworkEvaluator evaluator;
      const auto& trace = evaluator.evaluate(then.network, tokens_of(then), then.interventions);
      return completed_layer(seen_layer(std::make_shared<const ModelDocument>(std::move(then)), at),
                             trace, evaluator.pool());
    });
  });
}

}  // namespace

figure::Animation training_animation(const Ui& ui, const figure::FigureOptions& options,
                                     double seconds) {
  const auto steps = steps_to_show(*shown_training(ui));
  constexpr double kMillisecondsPerSecond = 1000;
  const double each = kMillisecondsPerSecond * seconds / static_cast<double>(steps.size());
  const int milliseconds = std::max(20, static_cast<int>(each));
  auto moment = [steps, options, milliseconds,
                 layer = ui.document().layer](int number) -> Expected<figure::Moment> {
    const std::uint64_t step = steps.at(static_cast<std::size_t>(number));
    auto document = layer_at(*layer.model, layer.at, step);
    if (!document) return tl::make_unexpected(document.error());
    return figure::Moment{std::move(*document), options, tr("step ="),
                          grouped(static_cast<attention::Index>(step)), milliseconds};
  };
  return {static_cast<int>(steps.size()), std::move(moment)};
}

}  // namespace lab::view
