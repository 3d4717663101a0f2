#pragma once

#include <string>

#include "app/base/error.h"

namespace lab::cli {

/// Fails when `source` names neither a built-in example or lesson nor anything on disk, saying so
/// and what may have been meant: with kUsage when it looks like a misspelt verb, else with kIo.
/// "-" and an empty name pass.
Expected<void> check_source(const std::string& source);

}  // namespace lab::cli
