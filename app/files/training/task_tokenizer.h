#pragma once

#include <string>

#include "app/base/error.h"
#include "app/tokenizer/tokenizer.h"
#include "core/training/task.h"

namespace lab::files {

/// The tokenizer.json of a task: every token stands between blanks.
std::string task_tokenizer_json(const attention::training::Task& task);

/// The same, read. Fails as read_tokenizer() does.
Expected<tokenizer::Tokenizer> task_tokenizer(const attention::training::Task& task);

}  // namespace lab::files
