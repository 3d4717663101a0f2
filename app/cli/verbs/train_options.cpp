#include "app/cli/verbs/train_options.h"

#include <CLI/CLI.hpp>

#include "app/base/bad_input.h"
#include "app/base/machine_numbers.h"
#include "app/files/io/bytes.h"
#include "core/training/task.h"
#include "core/training/text_words.h"

namespace lab::cli {
namespace {

using attention::training::TaskType;
using attention::training::TrainingOptions;

std::string task_names() {
  std::string names;
  for (const TaskType type : attention::training::kAllTasks)
    names += (names.empty() ? "" : ", ") + std::string(task_name(type));
  return names;
}

template <typename Value>
void take(const std::optional<Value>& given, Value& value) {
  if (given) value = *given;
}

Expected<void> take_text(const TrainOptions& options, std::string& text) {
  if (options.text && !options.text_file.empty())
    return fail(ErrorType::kUsage, "give --text or --text-file, not both");
  take(options.text, text);
  if (options.text_file.empty()) return {};
  auto bytes = files::read_text_file(options.text_file, attention::training::kMostTextBytes);
  if (!bytes) return tl::make_unexpected(bytes.error());
  text = *std::move(bytes);
  return {};
}

// What is wrong with a text is bad input; with an option, wrong usage.
Expected<void> check_options(const TrainingOptions& options) {
  const auto wrong = complaints(options);
  if (wrong.empty()) return {};
  const bool of_text = wrong.front().starts_with("the text ");
  return fail(of_text ? ErrorType::kBadInput : ErrorType::kUsage, wrong.front());
}

void take_numbers(const TrainOptions& options, TrainingOptions& training) {
  take(options.vocabulary, training.task.vocabulary);
  take(options.length, training.task.length);
  take(options.shortest_period, training.task.shortest_period);
  take(options.longest_period, training.task.longest_period);
  take(options.distance, training.task.distance);
  take(options.layers, training.layers);
  take(options.heads, training.heads);
  take(options.d_model, training.d_model);
  take(options.batch, training.batch);
  take(options.learning_rate, training.learning_rate);
  training.mlp = options.mlp;
  if (training.heads > 0)
    training.d_k = std::max<attention::Index>(1, training.d_model / training.heads);
  take(options.d_k, training.d_k);
}

}  // namespace

Expected<TrainingOptions> training_options(const TrainOptions& options) {
  const auto type = attention::training::task_from_name(options.task);
  if (!type)
    return fail(ErrorType::kUsage,
                "there is no task " + in_quotes(options.task) + "; there are " + task_names());
  TrainingOptions training = attention::training::default_options(*type);
  take_numbers(options, training);
  if (options.seed) {
    const auto seed = parse_number<std::uint64_t>(*options.seed);
    if (!seed)
      return fail(ErrorType::kUsage, "--seed is " + in_quotes(*options.seed) +
                                         " but should be a whole number from 0 to 2⁶⁴ − 1");
    training.seed = *seed;
  }
  if (!options.positions.empty()) {
    const auto positions = attention::training::trained_positions_from_name(options.positions);
    if (!positions) return fail(ErrorType::kUsage, "--positions should be learned or rotary");
    training.positions = *positions;
  }
  if (auto taken = take_text(options, training.task.text); !taken)
    return tl::make_unexpected(taken.error());
  if (auto checked = check_options(training); !checked) return tl::make_unexpected(checked.error());
  return training;
}

Expected<void> check_continued(const TrainOptions& options) {
  const auto refuse = [](const std::string& what) {
    return fail(ErrorType::kUsage,
                what + " cannot be changed in a run that goes on; begin a new one");
  };
  if (!options.task.empty()) return refuse("the task");
  const std::pair<const char*, bool> given[] = {
      {"--vocabulary", options.vocabulary.has_value()},
      {"--length", options.length.has_value()},
      {"--shortest-period", options.shortest_period.has_value()},
      {"--longest-period", options.longest_period.has_value()},
      {"--distance", options.distance.has_value()},
      {"--layers", options.layers.has_value()},
      {"--heads", options.heads.has_value()},
      {"--d-model", options.d_model.has_value()},
      {"--d-k", options.d_k.has_value()},
      {"--mlp", options.mlp},
      {"--positions", !options.positions.empty()},
      {"--batch", options.batch.has_value()},
      {"--seed", options.seed.has_value()},
      {"--text", options.text.has_value()},
      {"--text-file", !options.text_file.empty()}};
  for (const auto& [name, is_given] : given)
    if (is_given) return refuse(name);
  return {};
}

void add_train_options(CLI::App& app, TrainOptions& options) {
  app.add_option("TASK", options.task, task_names())->type_name("");
  app.add_option("--steps", options.steps, "steps to take (1000)")->type_name("N");
  app.add_option("-o,--output", options.output, "the folder of the model")->type_name("FOLDER");
  app.add_option("--continue", options.continued, "go on with the run in that folder")
      ->type_name("FOLDER");
  app.add_flag("--replace", options.replace, "replace the run that FOLDER holds");
  app.add_option("--layers", options.layers, "1 to 4 (2)")->type_name("N");
  app.add_option("--heads", options.heads, "heads of each layer, 1 to 8 (4)")->type_name("N");
  app.add_option("--d-model", options.d_model, "features of the stream (64)")->type_name("N");
  app.add_option("--d-k", options.d_k, "features of a head (d_model / heads)")->type_name("N");
  app.add_flag("--mlp", options.mlp, "an MLP in each layer; else attention only");
  app.add_option("--positions", options.positions, "learned or rotary (learned)")
      ->type_name("KIND");
  app.add_option("--vocabulary", options.vocabulary,
                 "letters (26), kinds of brackets (3), or most words of a\ntext (1024)")
      ->type_name("N");
  app.add_option("--length", options.length, "tokens of a sequence (24)")->type_name("N");
  app.add_option("--shortest-period", options.shortest_period, "of the task repeat (5)")
      ->type_name("N");
  app.add_option("--longest-period", options.longest_period, "of the task repeat (12)")
      ->type_name("N");
  app.add_option("--distance", options.distance, "of the task copy (3)")->type_name("N");
  app.add_option("--text", options.text, "of the task text")->type_name("TEXT");
  app.add_option("--text-file", options.text_file, "the same from a file; - for standard input")
      ->type_name("FILE");
  app.add_option("--batch", options.batch, "sequences of a step (64)")->type_name("N");
  app.add_option("--learning-rate", options.learning_rate, "of Adam (0.003)")->type_name("R");
  app.add_option("--seed", options.seed, "of the first numbers and of all batches (7)")
      ->type_name("N");
  app.add_option("--threads", options.threads,
                 "threads, which do not change the numbers (those of the\nmachine)")
      ->type_name("N");
}

}  // namespace lab::cli
