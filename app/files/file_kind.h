#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "app/base/error.h"
#include "app/base/number_reading.h"

namespace lab::files {

/// The kind of a file, by its content.
enum class FileKind {
  kEmpty,
  kSession,       ///< JSON
  kModelSession,  ///< JSON: what was done to a trained model
  kFigure,        ///< of a kind that can embed a session
  kSafetensors,   ///< a problem, or a layer of PyTorch
  kNpz,           ///< a zip archive; its reader checks that it holds only arrays
  kNpy,           ///< one array
  kNpyStack,      ///< one array of at least three dimensions: attention weights of several heads
  kTable,         ///< numbers as text: CSV, or blanks between them
  kVectors,       ///< words with their vectors: GloVe, word2vec's text form
  kPickle,
  kTorchZip,  ///< what torch.save writes, a pickle inside a zip archive
  kHdf5,
  kGzip,
  kGguf,
  kLfsPointer,  ///< what Git LFS leaves in place of a file that was not fetched
  kWord2VecBinary,
  kUtf16,      ///< text with two bytes per character
  kTokenizer,  ///< a tokenizer.json
  kBrackets,   ///< a list in brackets, as JSON and NumPy print it
  kUnknown
};

/// How many bytes at the beginning of a file are looked at to tell its kind.
inline constexpr std::size_t kKindBytes = std::size_t{1} << 16;

/// The kind of the file that begins with `start`, of which the first kKindBytes matter.
FileKind file_kind(std::string_view start);

/// True when the JSON that begins with `start` says there that it is a session.
bool names_session(std::string_view start);

/// True when the first file of the zip archive that begins with `start` is an array.
bool begins_with_array(std::string_view start);

/// Why files of that kind are not opened, and what to do instead; for a matrix or vectors, why they
/// do not make a document on their own.
Error refusal(FileKind kind);

/// Why a file that begins with `start` is not what was to be downloaded, a pointer of Git LFS or a
/// web page, and what to do; empty for anything else.
std::string download_mistake(std::string_view start);

/// The separator that a first line such as "sep=;" names, as Excel reads it; else nothing.
std::optional<Separator> named_separator(std::string_view start);

/// The separator between the numbers of a table that begins with `start`; nothing when it is not a
/// table.
std::optional<Separator> table_separator(std::string_view start);

}  // namespace lab::files
