#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "app/base/error.h"
#include "core/numerics/work_watch.h"

namespace lab::files {

/// Largest file that is read as a whole.
inline constexpr std::size_t kLargestFile = std::size_t{1} << 30;

/// The bytes of the file at `path`; "-" is standard input. Fails with kIo, with the reason, when it
/// cannot be read, and with kBadInput when it is a folder or larger than `limit` bytes. Reports
/// each byte to `watch`, which may be null; throws as `watch` does.
Expected<std::string> read_bytes(const std::string& path, std::size_t limit = kLargestFile,
                                 attention::WorkWatch* watch = nullptr);

/// The text of the file at `path`, as decoded_text() makes it. Fails as both do, and names the
/// file.
Expected<std::string> read_text_file(const std::string& path, std::size_t limit = kLargestFile);

/// The bytes of standard input, which the next read_bytes("-") returns. For finding out what they
/// are before a reader is chosen; not while another thread reads them. Fails as read_bytes() does.
Expected<std::string> peek_standard_input(std::size_t limit = kLargestFile);
/// Forgets what was peeked at and not read.
void forget_standard_input();

/// At most the first `limit` bytes of the file at `path`; nothing when it is not a regular file,
/// whose reading could wait, or cannot be read.
std::optional<std::string> read_beginning(const std::string& path, std::size_t limit);

/// Announces to `watch`, which may be null, the work of reading and parsing the file at `path`:
/// each byte counts twice. An unknown size counts as 0.
void expect_reading(const std::string& path, attention::WorkWatch* watch);

/// Writes `bytes` to `path` as write_atomically does; "-" is standard output. Fails with kIo.
Expected<void> write_bytes(const std::string& path, std::string_view bytes);

}  // namespace lab::files
