#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

/// Members in the order they are set, and numbers as float throughout: they are written with as few
/// digits as read back to the same float, and never pass through double.
using CommandJson = nlohmann::basic_json<nlohmann::ordered_map, std::vector, std::string, bool,
                                         std::int64_t, std::uint64_t, float>;

/// Parses a line that may hold a command. Throws std::invalid_argument when it is longer than
/// kLongestCommand, no JSON, or more than a command can be: lists in lists to more than 64 levels,
/// an object in another, more than 64 members, a member twice, a NUL, more numbers than any block.
CommandJson parse_command_json(std::string_view line);

/// The name of a member or command for a message: “name”, printable, and cut where it is long.
std::string quoted_name(std::string_view name);

}  // namespace lab
