#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lab::cli {

/// What makes bash complete the verbs and options of attention-lab, and the names that they take.
std::string bash_completion();
/// The same for zsh.
std::string zsh_completion();
/// The same for fish.
std::string fish_completion();

/// One of them by the name of its shell; nothing for other shells.
std::optional<std::string> completion_of(std::string_view shell);

}  // namespace lab::cli
