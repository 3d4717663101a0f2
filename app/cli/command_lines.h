#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "app/document/workspace.h"

namespace lab::cli {

/// Largest file of commands that is read, in bytes.
inline constexpr std::size_t kLargestCommandFile = std::size_t{64} << 20;

/// What the file of commands is called in messages; "-" is standard input.
std::string command_file_name(const std::string& path);

/// Applies one JSON object a line to `workspace`; empty lines and those that start with # are
/// skipped. After each command `then`, which may be empty, is called with what the step is called:
/// "Edit W_Q, head 2", "Undo". Fails with the name and the number of the line where it stopped.
Expected<void> apply_lines(Workspace& workspace, std::string_view text, const std::string& name,
                           const std::function<Expected<void>(const std::string& step)>& then = {});

}  // namespace lab::cli
