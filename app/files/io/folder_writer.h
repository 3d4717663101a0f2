#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/base/error.h"

namespace lab::files {

/// Writes the files of those names into `folder`, which is made where it is missing: the bytes that
/// `encode` gives for the place of a name. After each file `told` hears how many there are. Stops
/// at the first that fails, with kIo or as `encode` says; what was written stays.
Expected<void> write_folder(const std::string& folder, const std::vector<std::string>& names,
                            const std::function<Expected<std::string>(std::size_t place)>& encode,
                            const std::function<void(std::size_t done)>& told);

}  // namespace lab::files
