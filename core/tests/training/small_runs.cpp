#include "core/tests/training/small_runs.h"

namespace attention::test {

std::string small_text() {
  std::string text;
  for (int i = 0; i < 6; ++i)
    text += "The cat sat on the mat. The dog sat on the rug, and the cat saw it. ";
  return text;
}

training::TrainingOptions small_run(training::TaskType task) {
  training::TrainingOptions options = training::default_options(task);
  if (task != training::TaskType::kBrackets) options.task.vocabulary = 10;
  options.task.length = 12;
  options.task.shortest_period = 3;
  options.task.longest_period = 6;
  options.task.text = small_text();
  options.heads = 2;
  options.d_model = 16;
  options.d_k = 8;
  options.batch = 16;
  options.seed = 11;
  return options;
}

training::StepReport take_steps(training::Trainer& trainer, int steps, ThreadPool& pool) {
  training::StepReport report;
  for (int i = 0; i < steps; ++i) report = trainer.step(pool);
  return report;
}

}  // namespace attention::test
