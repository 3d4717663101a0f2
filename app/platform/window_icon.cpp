#include "app/platform/window_icon.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/figure/colour/palette.h"

namespace lab::platform {
namespace {

using figure::Rgb;

// The drawing is 128 units wide: a tile with a border and five rows of cells.
constexpr double kWidth = 128, kTileEdge = 3, kTileRadius = 21.5, kBorder = 3;
constexpr double kFirstCell = 13, kCell = 18, kPitch = 21;
constexpr int kRows = 5, kSamples = 4;  // samples per pixel and direction
constexpr Rgb kTile{255, 255, 255}, kLine{0xa3, 0xb5, 0xcc}, kMasked{0xe8, 0xee, 0xf6},
    kMarked{0xe8, 0x70, 0x3a};
constexpr float kMark = -1;  // the cell that stands out
constexpr float kWeights[kRows][kRows] = {
    {1}, {.35f, .75f}, {.2f, .45f, .85f}, {.55f, .25f, .3f, .7f}, {.2f, kMark, .3f, .45f, .85f}};

// The distance by which a point is inside a square from `edge` to the other side; negative outside.
double depth_in_tile(double x, double y, double edge, double radius) {
  const double half = kWidth / 2 - edge;
  const double dx = std::abs(x - kWidth / 2) - (half - radius);
  const double dy = std::abs(y - kWidth / 2) - (half - radius);
  return radius - std::hypot(std::max(dx, 0.0), std::max(dy, 0.0)) -
         std::min(std::max(dx, dy), 0.0);
}

Rgb cell_colour(int row, int column) {
  if (column > row) return kMasked;
  const float weight = kWeights[row][column];
  if (weight == kMark) return kMarked;
  const auto& colours = figure::palette_table(figure::Palette::kBlues, false);
  return colours[static_cast<std::size_t>(weight * (figure::kPaletteSize - 1))];
}

Rgb colour_in_tile(double x, double y) {
  if (depth_in_tile(x, y, kTileEdge, kTileRadius) < kBorder) return kLine;
  const double column = (x - kFirstCell) / kPitch, row = (y - kFirstCell) / kPitch;
  const bool in_grid = column >= 0 && row >= 0 && column < kRows && row < kRows;
  const bool in_cell = in_grid && (column - std::floor(column)) * kPitch < kCell &&
                       (row - std::floor(row)) * kPitch < kCell;
  return in_cell ? cell_colour(static_cast<int>(row), static_cast<int>(column)) : kTile;
}

// Red, green, blue and opacity of a pixel: the mean of its samples.
std::array<std::uint8_t, 4> pixel(int column, int row, int size) {
  int sum[3] = {0, 0, 0}, inside = 0;
  for (int i = 0; i < kSamples * kSamples; ++i) {
    const int across = i % kSamples, down = i / kSamples;
    const double x = (column + (across + 0.5) / kSamples) * kWidth / size;
    const double y = (row + (down + 0.5) / kSamples) * kWidth / size;
    if (depth_in_tile(x, y, kTileEdge, kTileRadius) < 0) continue;
    const Rgb colour = colour_in_tile(x, y);
    sum[0] += colour.r, sum[1] += colour.g, sum[2] += colour.b, ++inside;
  }
  const auto mean = [&](int total) {
    return static_cast<std::uint8_t>(inside == 0 ? 0 : total / inside);
  };
  return {mean(sum[0]), mean(sum[1]), mean(sum[2]),
          static_cast<std::uint8_t>(255 * inside / (kSamples * kSamples))};
}

}  // namespace

std::vector<std::uint8_t> icon_pixels(int size) {
  std::vector<std::uint8_t> pixels;
  for (int i = 0; i < size * size; ++i)
    for (const std::uint8_t channel : pixel(i % size, i / size, size)) pixels.push_back(channel);
  return pixels;
}

void set_window_icon(GLFWwindow* window) {
#ifdef GLFW_PLATFORM
  if (glfwGetPlatform() != GLFW_PLATFORM_X11) return;
#endif
  constexpr int kSizes[] = {24, 32, 48, 64};
  std::vector<std::vector<std::uint8_t>> pixels;
  std::vector<GLFWimage> images;
  for (const int size : kSizes) {
    pixels.push_back(icon_pixels(size));
    images.push_back({size, size, pixels.back().data()});
  }
  glfwSetWindowIcon(window, static_cast<int>(images.size()), images.data());
}

}  // namespace lab::platform
