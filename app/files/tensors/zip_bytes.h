#pragma once

#include <zip.h>

#include <cstdint>
#include <map>
#include <string_view>

namespace lab::files {

/// A ZIP archive in memory that libzip reads through, and that detects when two files of the
/// archive share bytes, as in an archive made to inflate to far more than its size.
class ZipBytes {
 public:
  /// `bytes` must outlive the archive opened on them.
  explicit ZipBytes(std::string_view bytes);
  /// Can be neither copied nor moved: libzip refers to it.
  ZipBytes(const ZipBytes&) = delete;
  ZipBytes& operator=(const ZipBytes&) = delete;
  ~ZipBytes();

  /// The source for zip_open_from_source; null, with `error` set, when memory ran out. Must not
  /// outlive this.
  zip_source_t* source(zip_error_t* error);

  /// Starts the next file of the archive: bytes of the files before it may not be read again.
  void begin_file();
  /// True once bytes of an earlier file were requested; they are not read.
  bool shared() const { return shared_; }

 private:
  static zip_int64_t call(void* self, void* data, zip_uint64_t size, zip_source_cmd_t command);
  zip_int64_t answer(void* data, zip_uint64_t size, zip_source_cmd_t command);
  zip_int64_t read(void* data, zip_uint64_t size);
  zip_int64_t describe(void* data) const;
  bool take(std::uint64_t begin, std::uint64_t end);

  std::string_view bytes_;
  std::uint64_t at_ = 0;
  zip_error_t error_{};
  bool reading_file_ = false, shared_ = false;
  std::uint64_t begin_ = 0, end_ = 0;             // what was read of this file
  std::map<std::uint64_t, std::uint64_t> taken_;  // begin → end of what was read of each before
};

/// The size in bytes of the central directory, according to the records at the end; 0 when there
/// are none.
std::uint64_t zip_list_size(std::string_view bytes);

}  // namespace lab::files
