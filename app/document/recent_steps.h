#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace lab {

/// How many of the last steps are kept.
inline constexpr std::size_t kRecentSteps = 24;

/// Keeps the name of something that the user did, such as a command or an item of a menu, for the
/// report of a crash. `name` must exist as long as the program and never hold anything of the
/// document. The same step again is not kept twice in a row,
/// and an empty name not at all.
void note_step(std::string_view name);

/// The last steps, oldest first; empty at the end where there were fewer. May be called in the
/// handler of a signal.
std::array<std::string_view, kRecentSteps> recent_steps();

}  // namespace lab
