#pragma once

#include <optional>
#include <string>

namespace lab::view {

/// Reads a number as it is typed anywhere: a decimal comma is a point, a + or − sign may lead.
/// Infinite when it is too large; nothing when it is not a number.
std::optional<float> parse_number(std::string text);

}  // namespace lab::view
