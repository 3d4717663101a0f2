#include "core/training/task.h"

#include <algorithm>
#include <stdexcept>

#include "core/training/task_types.h"
#include "core/training/text_words.h"

namespace attention::training {
namespace {

// A separate seed for each of three numbers.
std::uint64_t mixed(std::uint64_t seed, std::uint64_t step, Index row) {
  const std::uint64_t of_run = PortableRandom(seed).next();
  const std::uint64_t of_step = PortableRandom(of_run ^ step).next();
  return PortableRandom(of_step ^ static_cast<std::uint64_t>(row)).next();
}

void check_repeat(const TaskOptions& options, std::vector<std::string>& wrong) {
  require_between("the shortest period", options.shortest_period, 1, options.longest_period, wrong);
  require_between("the longest period", options.longest_period, 1, options.length - 1, wrong);
}

void check_text(const TaskOptions& options, std::vector<std::string>& wrong) {
  if (options.text.size() > kMostTextBytes) {
    wrong.push_back("the text has " + std::to_string(options.text.size()) +
                    " bytes, it must have at most " + std::to_string(kMostTextBytes));
    return;
  }
  const std::vector<std::string_view> words = words_of(options.text);
  const Index least = options.length + 1;
  if (std::ssize(words) < least) {
    wrong.push_back("the text has " + std::to_string(words.size()) +
                    (words.size() == 1 ? " word" : " words") + ", training on sequences of " +
                    std::to_string(options.length) + " needs at least " + std::to_string(least));
  } else if (std::ranges::all_of(words, [&](auto word) { return word == words.front(); })) {
    wrong.emplace_back("the text has only one word, again and again: there is nothing to learn");
  }
}

Index most_tokens(TaskType type) {
  if (type == TaskType::kBrackets) return 4;
  return type == TaskType::kText ? 4096 : 52;
}

}  // namespace

Example Task::with_answers(std::vector<std::uint32_t> ids) const {
  const std::vector<std::uint32_t> known = answers(ids);
  Example example;
  example.targets = known;
  if (predicts_next_)
    for (std::size_t i = 0; i + 1 < ids.size(); ++i) example.targets[i] = ids[i + 1];
  for (std::size_t i = 0; i < ids.size(); ++i)
    example.known.push_back(known[i] != kNoTarget && known[i] == example.targets[i]);
  example.ids = std::move(ids);
  return example;
}

Example Task::example(std::uint64_t seed, std::uint64_t step, Index row) const {
  Example example = with_answers(draw(mixed(seed, step, row)));
  const auto length = static_cast<std::size_t>(length_);
  example.ids.resize(length);
  example.targets.resize(length);
  example.known.resize(length);
  return example;
}

Example Task::solved(std::vector<std::uint32_t> ids) const { return with_answers(std::move(ids)); }

std::vector<std::uint32_t> Task::ids_of(std::string_view text) const {
  std::vector<std::uint32_t> ids;
  while (!text.empty()) {
    const auto found = std::ranges::find_if(
        tokens_, [&](const std::string& token) { return text.starts_with(token); });
    if (found != tokens_.end()) ids.push_back(static_cast<std::uint32_t>(found - tokens_.begin()));
    text.remove_prefix(found == tokens_.end() ? 1 : found->size());
  }
  return ids;
}

std::vector<std::string> complaints(const TaskOptions& options) {
  std::vector<std::string> wrong;
  require_between("the length", options.length, 2, 256, wrong);
  const Index least = options.type == TaskType::kBrackets ? 1 : 2;
  require_between("the vocabulary", options.vocabulary, least, most_tokens(options.type), wrong);
  if (!wrong.empty()) return wrong;
  if (options.type == TaskType::kRepeat) check_repeat(options, wrong);
  if (options.type == TaskType::kCopy)
    require_between("the distance", options.distance, 1, options.length - 1, wrong);
  if (options.type == TaskType::kText) check_text(options, wrong);
  return wrong;
}

std::shared_ptr<const Task> make_task(const TaskOptions& options) {
  const std::vector<std::string> wrong = complaints(options);
  if (!wrong.empty()) throw std::invalid_argument(wrong.front());
  switch (options.type) {
    case TaskType::kRepeat:
      return make_repeat_task(options);
    case TaskType::kPrevious:
      return make_copy_task(options, 1);
    case TaskType::kBrackets:
      return make_brackets_task(options);
    case TaskType::kCopy:
      return make_copy_task(options, options.distance);
    case TaskType::kSort:
      return make_sort_task(options);
    case TaskType::kText:
      return make_text_task(options);
  }
  throw std::invalid_argument("there is no such task");
}

}  // namespace attention::training
