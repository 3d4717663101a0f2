#pragma once

#include <string>

#include "app/base/error.h"
#include "app/cli/model/model_arguments.h"

namespace lab::cli {

/// Checks the layers of the model, or the session of one, that `input` means, or the one that
/// --layer gives: the invariants of each as a problem, and that its weights are those of the
/// forward pass. Writes a table to standard output. Fails with kFailed when a check fails, else as
/// run_model() does.
Expected<void> check_model(const std::string& input, const ModelArguments& arguments);

}  // namespace lab::cli
