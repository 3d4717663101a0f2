#pragma once

#include <optional>
#include <string>

#include "app/base/error.h"
#include "core/training/options.h"

namespace CLI {
class App;
}

namespace lab::cli {

/// What the verb `train` was asked for.
struct TrainOptions {
  std::string task;       ///< empty with --continue
  std::string continued;  ///< --continue; empty: a new run
  std::string output;     ///< -o; empty: that of --continue
  std::int64_t steps = 1000;
  int threads = 0;  ///< 0: as many as the machine has
  bool replace = false;
  std::string text_file;
  std::string positions;
  // Those that were set; the others have the defaults of the task.
  std::optional<attention::Index> vocabulary, length, shortest_period, longest_period, distance,
      layers, heads, d_model, d_k, batch;
  std::optional<float> learning_rate;
  std::optional<std::string> seed;
  std::optional<std::string> text;
  bool mlp = false;
};

/// Declares them.
void add_train_options(CLI::App& app, TrainOptions& options);

/// The training options of a new run. Fails with kUsage when there is no such task or an option is
/// out of its range, with kBadInput when a text is too short, and with kIo when a file cannot be
/// read.
Expected<attention::training::TrainingOptions> training_options(const TrainOptions& options);

/// Fails with kUsage, naming one, when options of a new run were set with --continue.
Expected<void> check_continued(const TrainOptions& options);

}  // namespace lab::cli
