#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/matrix.h"

namespace attention::training {

/// What is learned.
enum class TaskType {
  kRepeat,    ///< say again what was said, with a random period
  kPrevious,  ///< name the letter before
  kBrackets,  ///< name the bracket that closes the innermost open one
  kCopy,      ///< name the letter a fixed distance back
  kSort,      ///< say the letters again in the order of the alphabet
  kText,      ///< the next word of a text
};

/// All tasks, in the order in which they are offered.
inline constexpr TaskType kAllTasks[] = {TaskType::kRepeat,   TaskType::kPrevious,
                                         TaskType::kBrackets, TaskType::kCopy,
                                         TaskType::kSort,     TaskType::kText};

/// "repeat", "previous", "brackets", "copy", "sort", "text".
std::string_view task_name(TaskType type);
/// The task with that name, or nothing.
std::optional<TaskType> task_from_name(std::string_view name);

/// How a network that is trained knows where a token stands.
enum class TrainedPositions {
  kLearned,  ///< a learned row for each position is added to the embedding (GPT-2)
  kRotary,   ///< queries and keys are rotated, base 10 000 (GPT-NeoX)
};

/// "learned", "rotary".
std::string_view trained_positions_name(TrainedPositions positions);
/// The positions with that name; std::nullopt if there are none.
std::optional<TrainedPositions> trained_positions_from_name(std::string_view name);

/// What a task is made from.
struct TaskOptions {
  TaskType type = TaskType::kRepeat;
  Index vocabulary = 26;  ///< letters (2 … 52); kinds of brackets (1 … 4); of a text the most
                          ///< frequent words that have a separate token (2 … 4 096)
  Index length = 24;      ///< tokens that the network reads (2 … 256)
  Index shortest_period = 5, longest_period = 12;  ///< of kRepeat: letters until it begins again
  Index distance = 3;                              ///< of kCopy (1 … length − 1)
  std::string text;                                ///< of kText, UTF-8

  bool operator==(const TaskOptions&) const = default;
};

/// A run of training: the same options give the same numbers.
struct TrainingOptions {
  TaskOptions task;
  Index layers = 2;    ///< 1 … 4
  Index heads = 4;     ///< 1 … 8
  Index d_model = 64;  ///< a multiple of the heads (1 … 512)
  Index d_k = 16;      ///< at most d_model / heads; even with rotary positions
  bool mlp = false;    ///< an MLP of 4 · d_model GELUs in each block; else attention only
  TrainedPositions positions = TrainedPositions::kLearned;
  Index batch = 64;              ///< sequences a step (1 … 1 024)
  float learning_rate = 0.003f;  ///< of Adam; > 0
  std::uint64_t seed = 7;        ///< of the first numbers and of every batch

  bool operator==(const TrainingOptions&) const = default;
};

/// What is wrong with them, a sentence each; empty when a Trainer accepts them.
std::vector<std::string> complaints(const TrainingOptions& options);

/// Throws std::invalid_argument with the first of complaints().
void validate(const TrainingOptions& options);

/// The default options of a task: TrainingOptions{} with its vocabulary and length.
TrainingOptions default_options(TaskType type);

/// Adds to `wrong` what is wrong with an option whose value is not `least` … `most`.
void require_between(const std::string& name, Index value, Index least, Index most,
                     std::vector<std::string>& wrong);

}  // namespace attention::training
