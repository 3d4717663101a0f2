#pragma once

#include <string>

#include "app/base/error.h"

namespace lab::cli {

/// Fails if `source` is not a built-in example, a lesson or an existing file, and suggests the most
/// likely correction. The error is kUsage if `source` looks like a misspelt verb, else kIo. "-" and
/// an empty name are accepted.
Expected<void> check_source(const std::string& source);

}  // namespace lab::cli
