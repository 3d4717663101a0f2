#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "app/base/error.h"
#include "app/files/io/descriptor.h"

namespace lab::files {

/// A file whose bytes are read only where they are used: its pages are mapped into memory, and the
/// system may drop and read them again. Unmapped when destroyed.
class MappedFile {
 public:
  /// Maps the file at `path`. Fails with kIo when it cannot be read, and with kBadInput when it is
  /// no ordinary file or empty.
  static Expected<std::shared_ptr<const MappedFile>> open(const std::string& path);

  ~MappedFile();
  /// A mapping can be neither copied nor moved: views of its bytes must stay valid.
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  /// All bytes.
  std::span<const std::byte> bytes() const { return bytes_; }
  /// The path it was opened by.
  const std::string& path() const { return path_; }
  /// True when the file is shorter than it was when it was mapped, or a page could not be read
  /// since then because its disk failed. What is missing reads as 0, so what was computed from it
  /// is wrong.
  bool is_damaged() const;

 private:
  MappedFile(std::string path, Descriptor file, std::span<const std::byte> bytes, std::size_t slot);

  std::string path_;
  Descriptor file_;  // a cut within a page raises no signal, so its size is asked
  std::span<const std::byte> bytes_;
  std::size_t slot_;  // in the table that the signal handler reads
};

}  // namespace lab::files
