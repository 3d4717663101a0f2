#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

/// For writing: members stay in the order they are set, and numbers are float throughout, so that
/// they have as few digits as read back to the same float, and never pass through double.
using OrderedJson = nlohmann::basic_json<nlohmann::ordered_map, std::vector, std::string, bool,
                                         std::int64_t, std::uint64_t, float>;

/// Parses a line that may hold a command, as parse_json() of strict_json.h does. Throws
/// std::invalid_argument when it is longer than kLongestCommand, no JSON, or more than a command
/// can be: lists in lists to more than 64 levels, an object in another, more than 64 members, a
/// member twice, a NUL, more numbers than any block.
nlohmann::json parse_command_json(std::string_view line);

/// What the reader of a command says of a number that no float32 can hold.
inline constexpr const char* kNumberTooLarge = "a number in the line is too large";

/// The name of a member or command for a message: “name”, printable, and cut where it is long.
std::string quoted_name(std::string_view name);

}  // namespace lab
