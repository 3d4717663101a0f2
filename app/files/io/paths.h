#pragma once

#include <string>
#include <string_view>

#include "app/base/error.h"

namespace lab::files {

/// The file name extension of a path in lower case: ".png"; empty when it has none.
std::string ending_of(const std::string& path);

/// The name of the file, without folders.
std::string file_name_of(const std::string& path);

/// The path as the file system takes it: a leading "~/" is replaced by the home folder.
std::string full_path(const std::string& typed);

/// The path of the program's own file or folder `name`: in the folder given by the environment
/// `variable` or, where that is not an absolute path, in `default_value` in the home folder; empty
/// when neither is known.
std::string user_path(const char* variable, const char* default_value, const char* name);

/// True when nothing exists at that path. A dangling link counts as existing: reading it reports
/// what is wrong.
bool is_missing(const std::string& path);

/// `path` with `ending` (".png") appended, unless its name already ends like a file that this
/// program reads or writes.
std::string with_ending(const std::string& path, std::string_view ending);

/// `path` with "-2" before its ending, for file `number` of several: "weights-2.svg".
std::string numbered_path(const std::string& path, std::size_t number);

/// Fails with kUsage when the ending of `path` belongs to something other than a session: a figure,
/// an array.
Expected<void> check_session_path(const std::string& path);
/// The same, but also accepts a problem: .safetensors or .npz.
Expected<void> check_document_path(const std::string& path);
/// True for the endings of a problem file: ".safetensors", ".npz".
bool is_problem_ending(std::string_view ending);

}  // namespace lab::files
