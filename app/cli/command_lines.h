#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "app/document/workspace.h"

namespace lab::cli {

/// Size limit of a file of commands, in bytes.
inline constexpr std::size_t kLargestCommandFile = std::size_t{64} << 20;

/// The name of the file of commands for messages; "-" is standard input.
std::string command_file_name(const std::string& path);

/// "undo" or "redo" when the line is {"do":"undo"} or {"do":"redo"}, else empty.
std::string history_keyword(std::string_view line);

/// Calls `apply` with each line of `text` that is neither empty nor starts with #, and its number
/// from 1. Stops at the first error and returns it.
Expected<void> for_each_command_line(
    std::string_view text, const std::function<Expected<void>(std::string_view, int)>& apply);

/// The error of the line with that number of the commands in `name`.
tl::unexpected<Error> error_in_line(const std::string& name, int number, const Error& error);

/// Applies the commands in `text`, one JSON object per line, to `workspace`. Skips empty lines and
/// lines that start with #. New tokens get vectors as long as those of the sentence, as in the
/// window, unless the line says how long they are. After each command, calls `then` (if set) with
/// the label of the step, such as "Edit W_Q, head 2" or "Undo". Stops at the first error and fails
/// with `name` and the line number.
Expected<void> apply_lines(Workspace& workspace, std::string_view text, const std::string& name,
                           const std::function<Expected<void>(const std::string& step)>& then = {});

}  // namespace lab::cli
