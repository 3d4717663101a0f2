#pragma once

#include <optional>
#include <string_view>

namespace lab {

/// How well `name` answers what was typed, higher is better; nothing when it does not. Every word
/// of `typed` must be found in `name`, in any order and case: at the start of a word it counts
/// most, then inside of one, then as letters in that order ("nh" finds "Next head"). An empty
/// `typed` finds everything alike.
std::optional<int> match_score(std::string_view typed, std::string_view name);

}  // namespace lab
