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
  if (file_kind(bytes) == FileKind::kUtf16)
    return decoded_text(bytes).and_then(
        [&](const std::string& text) { return import_of(text, words, watch); });
  if (file_kind(bytes) == FileKind::kVectors) return read_text_vectors(bytes, words, watch);
  return read_matrix(bytes, watch);
}

}  // namespace

Expected<FileKind> file_kind_at(const std::string& path) {
  if (!is_regular(path)) return FileKind::kUnknown;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"),
                                                             std::fclose);
  std::string start(kKindBytes, '\0');
  if (file) start.resize(std::fread(start.data(), 1, start.size(), file.get()));
  if (file && std::ferror(file.get()) == 0) return file_kind(start);
  return fail(ErrorKind::kIo,
              "cannot read " + in_quotes(path) + ": " + std::generic_category().message(errno));
}

bool is_import(FileKind kind) {
  return kind == FileKind::kNpy || kind == FileKind::kTable || kind == FileKind::kVectors;
}

Expected<Imported> read_import(const std::string& path, const std::vector<std::string>& words,
                               attention::WorkWatch* watch) {
  const auto kind = file_kind_at(path);
  if (!kind) return tl::make_unexpected(kind.error());
  if (*kind == FileKind::kVectors) return read_text_vectors_at(path, words, watch);
  expect_reading(path, watch);
  const auto bytes = read_bytes(path, kLargestFile, watch);
  if (!bytes) return tl::make_unexpected(bytes.error());
  return import_of(*bytes, words, watch);
}

}  // namespace lab::files
