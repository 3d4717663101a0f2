#pragma once

#include <string>
#include <variant>
#include <vector>

#include "app/files/file_formats.h"
#include "app/files/import/matrix_import.h"
#include "app/files/import/vector_import.h"

namespace lab::files {

/// Data read from a file that is to go into a document.
using Imported = std::variant<attention::Matrix, WordVectors>;

/// The kind of the file at `path`, judged by its beginning. kUnknown when it is not a regular file,
/// because it could be read only once. Fails with kIo when it cannot be read.
Expected<FileType> file_type_at(const std::string& path);

/// True for the kinds that read_import accepts: one matrix, or word vectors.
bool is_import(FileType type);

/// Reads a matrix (.npy or a table) or the word vectors of `words` from the file at `path`; "-" is
/// standard input. A file of vectors is read as a stream. Fails as read_bytes, read_matrix and
/// read_text_vectors do. Reports the bytes read to `watch`, which may be null; throws as `watch`
/// does.
Expected<Imported> read_import(const std::string& path, const std::vector<std::string>& words,
                               attention::WorkWatch* watch = nullptr);

}  // namespace lab::files
