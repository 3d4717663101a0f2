#pragma once

#include <zip.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "app/files/tensors/npy.h"
#include "app/tests/rooms.h"

namespace lab {

/// A .npy file of one row of numbers.
inline std::string array(const std::vector<float>& values) {
  return write_npy({"", {static_cast<std::int64_t>(values.size())}, values});
}

/// A file in an archive that a test makes.
struct ZipEntry {
  std::string name;
  std::string bytes;
  zip_int32_t method = ZIP_CM_STORE;
};

/// A ZIP archive of these files.
inline std::string make_zip(const std::vector<ZipEntry>& entries) {
  zip_source_t* source = zip_source_buffer_create(nullptr, 0, 0, nullptr);
  zip_source_keep(source);
  zip_t* archive = zip_open_from_source(source, ZIP_TRUNCATE, nullptr);
  for (const ZipEntry& entry : entries) {
    zip_source_t* bytes = zip_source_buffer(archive, entry.bytes.data(), entry.bytes.size(), 0);
    const zip_int64_t index = zip_file_add(archive, entry.name.c_str(), bytes, 0);
    if (index < 0) throw std::runtime_error("zip_file_add failed");
    zip_set_file_compression(archive, static_cast<zip_uint64_t>(index), entry.method, 0);
  }
  if (zip_close(archive) != 0) throw std::runtime_error("zip_close failed");
  zip_stat_t status;
  zip_source_stat(source, &status);
  zip_source_open(source);
  std::string bytes(status.size, '\0');
  zip_source_read(source, bytes.data(), bytes.size());
  zip_source_close(source);
  zip_source_free(source);
  return bytes;
}

}  // namespace lab
