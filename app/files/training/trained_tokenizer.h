#pragma once

#include <string>

#include "core/training/task.h"

namespace lab::files {

/// A tokenizer.json that cuts text into the tokens of a task: letters and brackets one by one, with
/// or without blanks between them; words and marks as words_of() does.
std::string tokenizer_json(const attention::training::Task& task,
                           attention::training::TaskType type);

}  // namespace lab::files
