#pragma once

#include <optional>
#include <string>

#include "app/base/error.h"

namespace lab::connection {

/// Gives `source`, as it was named on the command line, to the window that listens at `path`.
/// Returns true when that window opens it; false when no window listens there, or one on another
/// display, or one that does not answer in time: then this program opens a separate window. Fails
/// with the window's reason when it cannot open the source.
Expected<bool> hand_over(const std::string& path, const std::string& source);

}  // namespace lab::connection
