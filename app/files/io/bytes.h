#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "app/base/error.h"
#include "core/numerics/work_watch.h"

namespace lab::files {

/// Largest file that is read whole.
inline constexpr std::size_t kLargestFile = std::size_t{1} << 30;

/// The bytes of the file at `path`; "-" is standard input. Fails with kIo when it cannot be read
/// (saying why), kBadInput when it is a folder or larger than `limit` bytes. Tells `watch`, which
/// may be null, of each byte; throws as it does.
Expected<std::string> read_bytes(const std::string& path, std::size_t limit = kLargestFile,
                                 attention::WorkWatch* watch = nullptr);

/// Tells `watch`, which may be null, how much work it is to read the file at `path` and make sense
/// of it: each byte counts twice. A size that is not known beforehand is 0.
void expect_reading(const std::string& path, attention::WorkWatch* watch);

/// Writes `bytes` to `path` as write_atomically does; "-" is standard output. Fails with kIo.
Expected<void> write_bytes(const std::string& path, std::string_view bytes);

}  // namespace lab::files
