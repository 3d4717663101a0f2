#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lab {

/// `text` in the midst of other text: where it holds letters of a script that is written from right
/// to left, it stands between U+2068 and U+2069, so that what is around it keeps its order.
std::string isolated(const std::string& text);

/// "query → key", in this order on screen whatever the direction of the tokens.
std::string pair_text(const std::string& query, const std::string& key);

/// True when a line of `text` runs from right to left: the first letter that has a direction has
/// that one.
bool runs_right_to_left(std::string_view text);

/// A part of a text in one direction.
struct DirectionRun {
  std::string text;
  bool right_to_left = false;
};

/// The parts of `text` in logical order: those that run against its own direction, and what is
/// between them. Numbers run from left to right. Text in text in text is not told apart.
std::vector<DirectionRun> direction_runs(std::string_view text);

}  // namespace lab
