#include "core/training/options.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "core/training/task.h"

namespace attention::training {
namespace {

// In the order of TaskType and TrainedPositions.
constexpr std::array<std::string_view, 6> kTaskNames = {"repeat", "previous", "brackets",
                                                        "copy",   "sort",     "text"};
constexpr std::array<std::string_view, 2> kPositionNames = {"learned", "rotary"};

template <typename Type, std::size_t kCount>
std::optional<Type> type_named(const std::array<std::string_view, kCount>& names,
                               std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Type>(found - names.begin());
}

void add_head_complaints(const TrainingOptions& options, std::vector<std::string>& wrong) {
  const std::string d_model = std::to_string(options.d_model);
  const std::string heads = std::to_string(options.heads);
  if (options.d_model % options.heads != 0)
    wrong.push_back("d_model is " + d_model + ", it must be a multiple of the " + heads + " heads");
  if (options.d_k > options.d_model / options.heads)
    wrong.push_back("d_k is " + std::to_string(options.d_k) +
                    ", it must be at most d_model / heads, " +
                    std::to_string(options.d_model / options.heads));
  if (options.positions == TrainedPositions::kRotary && options.d_k % 2 != 0)
    wrong.push_back("d_k is " + std::to_string(options.d_k) +
                    ", it must be even with rotary positions, which rotate pairs");
}

}  // namespace

void require_between(const std::string& name, Index value, Index least, Index most,
                     std::vector<std::string>& wrong) {
  if (value >= least && value <= most) return;
  wrong.push_back(name + " is " + std::to_string(value) + ", it must be " + std::to_string(least) +
                  " … " + std::to_string(most));
}

std::string_view task_name(TaskType type) { return kTaskNames.at(static_cast<std::size_t>(type)); }

std::optional<TaskType> task_from_name(std::string_view name) {
  return type_named<TaskType>(kTaskNames, name);
}

std::string_view trained_positions_name(TrainedPositions positions) {
  return kPositionNames.at(static_cast<std::size_t>(positions));
}

std::optional<TrainedPositions> trained_positions_from_name(std::string_view name) {
  return type_named<TrainedPositions>(kPositionNames, name);
}

std::vector<std::string> complaints(const TrainingOptions& options) {
  std::vector<std::string> wrong = complaints(options.task);
  const std::size_t of_task = wrong.size();
  require_between("the number of layers", options.layers, 1, 4, wrong);
  require_between("the number of heads", options.heads, 1, 8, wrong);
  require_between("d_model", options.d_model, 1, 512, wrong);
  require_between("d_k", options.d_k, 1, 512, wrong);
  if (wrong.size() == of_task) add_head_complaints(options, wrong);
  require_between("the batch", options.batch, 1, 1024, wrong);
  if (!(options.learning_rate > 0) || !std::isfinite(options.learning_rate))
    wrong.emplace_back("the learning rate must be a positive number");
  return wrong;
}

void validate(const TrainingOptions& options) {
  const std::vector<std::string> wrong = complaints(options);
  if (!wrong.empty()) throw std::invalid_argument(wrong.front());
}

TrainingOptions default_options(TaskType type) {
  TrainingOptions options;
  options.task.type = type;
  if (type == TaskType::kBrackets) options.task.vocabulary = 3;
  if (type == TaskType::kText) options.task.vocabulary = 1024;
  return options;
}

}  // namespace attention::training
