#pragma once

#include <optional>
#include <string_view>

namespace lab::view {

/// Reads a number as people type it in a cell: as typed_number() does, and ∞. Infinite when it is
/// too large; nothing when it is not a number.
std::optional<float> parse_typed_number(std::string_view text);

}  // namespace lab::view
