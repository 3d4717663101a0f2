#pragma once

#include <string>

#include "core/training/options.h"

namespace lab {

/// What a task is called: "Repeat what was said".
std::string task_title(attention::training::TaskType type);
/// What is learned in it, in a sentence.
std::string task_words(attention::training::TaskType type);

}  // namespace lab
