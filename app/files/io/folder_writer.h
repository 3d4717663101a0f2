#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/base/error.h"

namespace lab::files {

/// Writes the files with those names into `folder`, which is created if it is missing: `encode`
/// returns the bytes for the name at a place in the list. Calls `on_written` with the number of
/// files written so far after each. Stops at the first failure, with kIo or the error of `encode`;
/// files already written stay.
Expected<void> write_folder(const std::string& folder, const std::vector<std::string>& names,
                            const std::function<Expected<std::string>(std::size_t index)>& encode,
                            const std::function<void(std::size_t done)>& on_written);

}  // namespace lab::files
