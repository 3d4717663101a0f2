#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lab {

/// `text` for use within other text: if it contains letters of a right-to-left script, it is
/// enclosed in U+2068 and U+2069, so that the surrounding text keeps its order.
std::string isolated(const std::string& text);

/// "query → key", in this order on screen whatever the direction of the two tokens.
std::string pair_text(const std::string& query, const std::string& key);

/// The direction in which letters run; numbers and signs have none of their own.
enum class Direction { kNone, kRightwards, kLeftwards };

/// The direction of the first letter of `text` that has one.
Direction direction_of(std::string_view text);

/// True when a line of `text` runs from right to left, which its first letter with a direction
/// decides.
bool runs_right_to_left(std::string_view text);

/// A part of a text that runs in one direction.
struct DirectionRun {
  std::string text;
  bool right_to_left = false;
};

/// The parts of `text` in logical order, split where the direction changes. Numbers run from left
/// to right. Deeper nesting of directions is not resolved.
std::vector<DirectionRun> direction_runs(std::string_view text);

}  // namespace lab
