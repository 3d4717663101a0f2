#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "app/base/error.h"
#include "app/base/number_reading.h"

namespace lab::files {

/// What a file turns out to be, by its content.
enum class FileKind {
  kEmpty,
  kSession,      ///< JSON
  kFigure,       ///< of a kind that can carry a session
  kSafetensors,  ///< a problem, or a layer of PyTorch
  kNpz,          ///< a zip archive; that it holds arrays alone is for its reader to see
  kNpy,          ///< one array
  kTable,        ///< numbers as text: CSV, or blanks between them
  kVectors,      ///< words with their vectors: GloVe, word2vec's text form
  kPickle,
  kTorchZip,  ///< what torch.save writes, a pickle inside a zip archive
  kHdf5,
  kGzip,
  kGguf,
  kWord2VecBinary,
  kUtf16,     ///< text of two bytes a character
  kBrackets,  ///< a list in brackets, as JSON and NumPy print it
  kUnknown
};

/// So many bytes of a file tell what it is; fewer where it is shorter.
inline constexpr std::size_t kKindBytes = std::size_t{1} << 16;

/// The kind of the file that begins with `start`, of which kKindBytes are looked at.
FileKind file_kind(std::string_view start);

/// Why files of that kind are not opened, and what to do instead; for those that are, why one does
/// not make up a document on its own.
Error refusal(FileKind kind);

/// What stands between the numbers of a table that begins with `start`; nothing when it is none.
std::optional<Separator> table_separator(std::string_view start);

}  // namespace lab::files
