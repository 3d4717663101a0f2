#pragma once

#include "core/embedding.h"
#include "core/training/task.h"

// The tasks, one function each; options were checked.

namespace attention::training {

/// A random whole number below `count`.
inline std::uint32_t random_id(Index count, PortableRandom& random) {
  return static_cast<std::uint32_t>(random.next() % static_cast<std::uint64_t>(count));
}

/// The first letters of the alphabet, small before capital.
std::vector<std::string> letters(Index count);

/// kRepeat: some letters at random, again and again.
std::shared_ptr<const Task> make_repeat_task(const TaskOptions& options);
/// kCopy and, with a distance of 1, kPrevious: letters at random.
std::shared_ptr<const Task> make_copy_task(const TaskOptions& options, Index distance);
/// kSort: length / 2 letters, a bar, and the same letters in order.
std::shared_ptr<const Task> make_sort_task(const TaskOptions& options);
/// kBrackets: brackets that open and close at random, up to a depth of 8.
std::shared_ptr<const Task> make_brackets_task(const TaskOptions& options);
/// kText: stretches of the text.
std::shared_ptr<const Task> make_text_task(const TaskOptions& options);

}  // namespace attention::training
