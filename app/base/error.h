#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace lab {

/// The type of an error; decides the exit code.
enum class ErrorType {
  kFailed,     ///< something failed while running: exit code 1
  kUsage,      ///< wrong usage of the command line: exit code 2
  kNoDisplay,  ///< there is no display: exit code 3
  kNoOpenGl,   ///< there is no OpenGL 3.3: exit code 4
  kBadInput,   ///< a file or value is not what it should be: exit code 5
  kIo,         ///< reading or writing failed: exit code 6
};

/// What a person can do about an error that the program may help with; each part of the program
/// offers it in its own way, as options or in a dialog.
enum class Remedy {
  kNone,          ///< the message says it all
  kFolder,        ///< name the folder in which the model of a session is now
  kFolderOrOpen,  ///< the same, or open the session with a model that has changed
};

/// An error message for a person: what went wrong, where, and what to do about it, in one or two
/// sentences.
struct Error {
  ErrorType type = ErrorType::kFailed;
  std::string message;
  Remedy remedy = Remedy::kNone;
};

/// The exit code of the program for an error of this type.
constexpr int exit_code(ErrorType type) { return static_cast<int>(type) + 1; }

/// A value, or the error that explains why there is none.
template <typename T>
using Expected = tl::expected<T, Error>;

/// Shorthand for returning an error from a function that returns Expected.
inline tl::unexpected<Error> fail(ErrorType type, std::string message) {
  return tl::make_unexpected(Error{type, std::move(message)});
}

}  // namespace lab
