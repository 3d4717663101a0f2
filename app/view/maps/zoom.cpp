#include "app/view/maps/zoom.h"

#include <algorithm>

namespace lab::view {
namespace {

using attention::Index;

constexpr float kFewestCells = 2;

float inside(float start, float length) { return std::clamp(start, 0.0f, 1 - length); }

struct Side {
  float start, length;
};

Side zoomed_side(Side side, float factor, float at, Index cells) {
  const float least = std::min(1.0f, kFewestCells / static_cast<float>(cells));
  const float length = std::clamp(side.length / factor, least, 1.0f);
  return {inside(side.start + at * (side.length - length), length), length};
}

float seen_start(Side side, Index cell, Index cells) {
  const float one = 1 / static_cast<float>(cells), first = static_cast<float>(cell) * one;
  return inside(std::clamp(side.start, first + one - side.length, first), side.length);
}

}  // namespace

files::MatrixPart zoomed(const files::MatrixPart& part, float factor, ImVec2 at,
                         attention::Shape shape) {
  const Side x = zoomed_side({part.x, part.w}, factor, at.x, shape.cols);
  const Side y = zoomed_side({part.y, part.h}, factor, at.y, shape.rows);
  return {x.start, y.start, x.length, y.length};
}

files::MatrixPart panned(const files::MatrixPart& part, ImVec2 by) {
  return {inside(part.x - by.x * part.w, part.w), inside(part.y - by.y * part.h, part.h), part.w,
          part.h};
}

files::MatrixPart showing(const files::MatrixPart& part, Cell cell, attention::Shape shape) {
  return {seen_start({part.x, part.w}, cell.col, shape.cols),
          seen_start({part.y, part.h}, cell.row, shape.rows), part.w, part.h};
}

}  // namespace lab::view
