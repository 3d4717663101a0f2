#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

/// For writing: members keep the order in which they are set, and all numbers are float, so that
/// they are written with the fewest digits that read back to the same float and are never converted
/// to double.
using OrderedJson = nlohmann::basic_json<nlohmann::ordered_map, std::vector, std::string, bool,
                                         std::int64_t, std::uint64_t, float>;

/// Parses a line that may hold a command, as parse_json() of strict_json.h does. Throws
/// std::invalid_argument when it is longer than kLongestCommand, is not JSON, or cannot be a
/// command: more than 64 levels of nested lists, more than 64 members, a duplicate member, a NUL,
/// more numbers than any block.
nlohmann::json parse_command_json(std::string_view line);

/// The error message for a number that does not fit a float32.
inline constexpr const char* kNumberTooLarge = "a number in the line is too large";

/// The name of a member or command for a message: “name”, printable, and shortened if it is long.
std::string quoted_name(std::string_view name);

}  // namespace lab
