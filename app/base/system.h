#pragma once

#include <cstdint>
#include <optional>

// What only the operating system can tell or do, of everything below `files`. In a page of a
// browser there is none.

namespace lab {

/// How many bytes of address space the process may use; std::nullopt when nothing limits it.
std::optional<std::int64_t> address_space_limit();

/// Lets other threads come first where processors are short, now and for the threads that this one
/// starts.
void lower_thread_priority();

}  // namespace lab
