#include "app/view/widgets/piece_order.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "app/base/text_direction.h"

namespace lab::view {
namespace {

using Piece = TextLines::Piece;
using Pieces = std::span<Piece>;

// Of each piece; those without letters follow their neighbours where these agree, else the line.
std::vector<bool> run_leftwards(Pieces line, bool leftwards) {
  std::vector<bool> all(line.size(), leftwards);
  bool before = leftwards;
  std::size_t undecided = 0;  // where the pieces without a direction begin
  for (std::size_t i = 0; i < line.size(); ++i) {
    const Direction own = direction_of(line[i].text);
    if (own == Direction::kNone) continue;
    const bool here = own == Direction::kLeftwards;
    for (std::size_t j = undecided; here == before && j < i; ++j) all[j] = here;
    all[i] = before = here;
    undecided = i + 1;
  }
  return all;
}

// The indices of the pieces from left to right, by the rule L2 of Unicode's bidirectional
// algorithm: from the highest level to the lowest odd one, each stretch of that level is reversed.
std::vector<std::size_t> shown_order(const std::vector<bool>& leftwards, bool line_leftwards) {
  std::vector<std::size_t> order(leftwards.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto level = [&](std::size_t i) { return leftwards[i] ? 1 : line_leftwards ? 2 : 0; };
  for (const int least : {2, 1}) {
    for (auto at = order.begin(); at != order.end();) {
      at = std::find_if(at, order.end(), [&](std::size_t i) { return level(i) >= least; });
      const auto end =
          std::find_if(at, order.end(), [&](std::size_t i) { return level(i) < least; });
      std::reverse(at, end);
      at = end;
    }
  }
  return order;
}

// The gap between the pieces `a` and `b`, which stand side by side.
float gap_between(Pieces line, std::size_t a, std::size_t b, float space) {
  const auto [first, second] = std::minmax(a, b);
  if (second - first > 1) return space;
  return line[second].x - (line[first].x + line[first].width);
}

void reorder(Pieces line, const TextColumn& column, bool leftwards, float space) {
  const std::vector<bool> directions = run_leftwards(line, leftwards);
  if (std::ranges::find(directions, true) == directions.end()) return;
  const std::vector<std::size_t> order = shown_order(directions, leftwards);
  std::vector<float> places(line.size());
  float x = line.front().x;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0) x += gap_between(line, order[i - 1], order[i], space);
    places[order[i]] = x;
    x += line[order[i]].width;
  }
  const float to_the_right = leftwards ? std::max(0.0f, column.right - x) : 0;
  for (std::size_t i = 0; i < line.size(); ++i) line[i].x = places[i] + to_the_right;
}

Direction direction_of_paragraph(const TextLines& lines) {
  for (const Piece& piece : lines.pieces)
    if (const Direction own = direction_of(piece.text); own != Direction::kNone) return own;
  return Direction::kNone;
}

}  // namespace

void put_in_shown_order(TextLines& lines, const TextColumn& column, float space) {
  const bool leftwards = direction_of_paragraph(lines) == Direction::kLeftwards;
  for (auto begin = lines.pieces.begin(); begin != lines.pieces.end();) {
    const auto end = std::find_if(begin, lines.pieces.end(),
                                  [&](const Piece& piece) { return piece.line != begin->line; });
    reorder({begin, end}, column, leftwards, space);
    begin = end;
  }
}

}  // namespace lab::view
