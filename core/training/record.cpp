#include "core/training/record.h"

#include <utility>

namespace attention::training {

void record_start(Trainer& trainer, History& history) {
  history.keep(trainer.state());
  history.add(MeasuredPoint{trainer.steps(), trainer.measure_heads(), {}, {}});
}

RecordedStep recorded_step(Trainer& trainer, const StepReport& report) {
  RecordedStep step{
      {report.step, static_cast<float>(report.loss), static_cast<float>(report.known_loss),
       static_cast<float>(report.gradient_norm)},
      {}};
  if (report.step <= History::kDenseSteps || report.step % kMeasuredEvery == 0)
    step.measured = MeasuredPoint{report.step, trainer.measure_heads(), report.head_gradients,
                                  report.position_loss};
  return step;
}

void record_step(Trainer& trainer, const StepReport& report, History& history) {
  if (report.diverged) return;
  RecordedStep step = recorded_step(trainer, report);
  history.add(step.point);
  if (step.measured) history.add(std::move(*step.measured));
  history.keep(trainer.state());
}

}  // namespace attention::training
