#include "core/training/record.h"

namespace attention::training {

void record_start(Trainer& trainer, History& history) {
  history.keep(trainer.state());
  history.add(MeasuredPoint{trainer.steps(), trainer.measure_heads(), {}, {}});
}

void record_step(Trainer& trainer, const StepReport& report, History& history) {
  if (report.diverged) return;
  history.add(CurvePoint{report.step, static_cast<float>(report.loss),
                         static_cast<float>(report.known_loss),
                         static_cast<float>(report.gradient_norm)});
  if (report.step <= History::kDenseSteps || report.step % kMeasuredEvery == 0)
    history.add(MeasuredPoint{report.step, trainer.measure_heads(), report.head_gradients,
                              report.position_loss});
  history.keep(trainer.state());
}

}  // namespace attention::training
