#include "app/files/import/import_file.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

#include "app/base/bad_input.h"
#include "app/base/unicode_text.h"
#include "app/files/io/bytes.h"

namespace lab::files {
namespace {

namespace fs = std::filesystem;

bool is_regular(const std::string& path) {
  std::error_code error;
  return path != "-" && fs::is_regular_file(path, error);
}

Expected<Imported> import_of(std::string_view bytes, const std::vector<std::string>& words,
                             attention::WorkWatch* watch) {
  if (file_type(bytes) == FileType::kUtf16)
    return decoded_text(bytes).and_then(
        [&](const std::string& text) { return import_of(text, words, watch); });
  if (file_type(bytes) == FileType::kVectors) return read_text_vectors(bytes, words, watch);
  return read_matrix(bytes, watch);
}

}  // namespace

Expected<FileType> file_type_at(const std::string& path) {
  if (!is_regular(path)) return FileType::kUnknown;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"),
                                                             std::fclose);
  std::string start(kTypeBytes, '\0');
  if (file) start.resize(std::fread(start.data(), 1, start.size(), file.get()));
  if (file && std::ferror(file.get()) == 0) return file_type(start);
  return fail(ErrorType::kIo,
              "cannot read " + in_quotes(path) + ": " + std::generic_category().message(errno));
}

bool is_import(FileType type) {
  return type == FileType::kNpy || type == FileType::kTable || type == FileType::kVectors;
}

Expected<Imported> read_import(const std::string& path, const std::vector<std::string>& words,
                               attention::WorkWatch* watch) {
  const auto type = file_type_at(path);
  if (!type) return tl::make_unexpected(type.error());
  if (*type == FileType::kVectors) return read_text_vectors_at(path, words, watch);
  expect_reading(path, watch);
  const auto bytes = read_bytes(path, kLargestFile, watch);
  if (!bytes) return tl::make_unexpected(bytes.error());
  return import_of(*bytes, words, watch);
}

}  // namespace lab::files
