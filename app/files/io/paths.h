#pragma once

#include <string>
#include <string_view>

#include "app/base/error.h"

namespace lab::files {

/// The ending of a path in small letters: ".png"; empty when it has none.
std::string ending_of(const std::string& path);

/// The name of the file without its folders.
std::string file_name_of(const std::string& path);

/// The path as the file system takes it: "~/" at its start is the home folder.
std::string full_path(const std::string& typed);

/// The path of a file or folder of this program's own, `name`, in the folder that the environment
/// `variable` names or, where that is no absolute path, in `usual` in the home folder; empty when
/// neither is known.
std::string own_path(const char* variable, const char* usual, const char* name);

/// True when nothing stands there. Links that lead nowhere stand there: reading them tells what is
/// wrong.
bool is_missing(const std::string& path);

/// `path` with `ending` (".png") behind it, unless its name already ends as a file that this
/// program reads or writes.
std::string with_ending(const std::string& path, std::string_view ending);

/// Fails with kUsage when the ending of `path` promises something else than a session: a picture,
/// an array.
Expected<void> check_session_path(const std::string& path);
/// The same where a problem, .safetensors or .npz, is welcome too.
Expected<void> check_document_path(const std::string& path);
/// True for the endings of a problem: ".safetensors", ".npz".
bool is_problem_ending(std::string_view ending);

}  // namespace lab::files
