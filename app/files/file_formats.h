#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "app/base/error.h"
#include "app/files/import/table_text.h"
#include "app/files/open.h"

namespace lab::files {

/// The type of a file, by its content.
enum class FileType {
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

/// What opening the content of a file needs besides it.
struct Opening {
  const std::string& title;  ///< of the document where the file does not say
  attention::WorkWatch* watch;
  const MultiheadChoice& choice;
};

/// A format of files. A new one is a value of FileType and a record in the table of formats.
struct FileFormat {
  FileType type;
  /// True for the first kTypeBytes of such a file. The formats are tried in their order.
  bool (*recognise)(std::string_view start);
  /// Makes a document of the content, as open_bytes() says; null: such files are refused.
  Expected<Opened> (*open)(const std::string& bytes, const Opening& opening) = nullptr;
  /// Why files of the format are not opened, and what to do instead; of a matrix or vectors, why
  /// they do not make a document on their own; null: the reason for unknown files.
  const char* why_not = nullptr;
  /// What lists of files call them, a word to translate; null: they are not listed.
  const char* listed = nullptr;
  /// The usual endings of their names.
  std::array<std::string_view, 5> endings = {};
  /// Of formats that weights of models are kept in, but not read from: the ending that
  /// other_weights() knows them by.
  const char* weights = nullptr;
};

/// All of them, in the order in which they are tried; the last one recognises everything.
std::span<const FileFormat> file_formats();
/// The record of a type.
const FileFormat& file_format(FileType type);

/// The type of the file that begins with `start`, of which the first kTypeBytes matter.
FileType file_type(std::string_view start);

/// True when the JSON that begins with `start` says there that it is a session.
bool names_session(std::string_view start);

/// True when the first file of the zip archive that begins with `start` is an array.
bool begins_with_array(std::string_view start);

/// FileFormat::why_not, kBadInput.
Error refusal(FileType type);

/// Why a file that begins with `start` is not what was to be downloaded, a pointer of Git LFS or a
/// web page, and what to do; empty for anything else.
std::string download_mistake(std::string_view start);

}  // namespace lab::files
