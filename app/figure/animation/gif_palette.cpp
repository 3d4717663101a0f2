#include "app/figure/animation/gif_palette.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace lab::figure {
namespace {

constexpr int kBits = 6;  // of a channel, by which colours are counted together
constexpr std::size_t kCells = std::size_t{1} << (3 * kBits);

std::uint32_t number_of(Rgb colour) {
  return std::uint32_t{colour.r} << 16 | std::uint32_t{colour.g} << 8 | colour.b;
}

std::size_t cell_of(Rgb colour) {
  constexpr int kLost = 8 - kBits;
  return static_cast<std::size_t>(colour.r >> kLost) << (2 * kBits) |
         static_cast<std::size_t>(colour.g >> kLost) << kBits |
         static_cast<std::size_t>(colour.b >> kLost);
}

/// A colour and the number of its pixels.
struct Weighted {
  std::array<double, 3> channels{};
  double count = 0;
};

/// A box of colours that are replaced by one.
struct ColourBox {
  std::vector<Weighted> colours;
  std::array<double, 3> mean{};
  std::size_t channel = 0;  // in which they differ most
  double spread = 0;        // the sum of squares by which they do

  explicit ColourBox(std::vector<Weighted> all) : colours(std::move(all)) {
    double count = 0;
    std::array<double, 3> sum{}, squares{};
    for (const Weighted& w : colours) {
      count += w.count;
      for (std::size_t c = 0; c < 3; ++c) sum[c] += w.count * w.channels[c];
    }
    for (std::size_t c = 0; c < 3; ++c) mean[c] = sum[c] / count;
    for (const Weighted& w : colours)
      for (std::size_t c = 0; c < 3; ++c)
        squares[c] += w.count * (w.channels[c] - mean[c]) * (w.channels[c] - mean[c]);
    channel = static_cast<std::size_t>(std::ranges::max_element(squares) - squares.begin());
    spread = squares[channel];
  }

  Rgb colour() const {
    const auto channel_of = [&](std::size_t c) {
      return static_cast<std::uint8_t>(std::lround(mean[c]));
    };
    return {channel_of(0), channel_of(1), channel_of(2)};
  }

  /// Splits the box at its mean; returns the upper half. Precondition: its colours differ.
  ColourBox cut() {
    const auto is_low = [&](const Weighted& w) { return w.channels[channel] <= mean[channel]; };
    const auto middle = std::stable_partition(colours.begin(), colours.end(), is_low);
    ColourBox upper(std::vector<Weighted>(middle, colours.end()));
    *this = ColourBox(std::vector<Weighted>(colours.begin(), middle));
    return upper;
  }
};

std::vector<ColourBox> boxes_of(std::vector<Weighted> colours, std::size_t most) {
  constexpr double kAlike = 1e-6;
  std::vector<ColourBox> boxes{ColourBox(std::move(colours))};
  while (boxes.size() < most) {
    const auto widest = std::ranges::max_element(boxes, {}, &ColourBox::spread);
    if (widest->spread < kAlike) break;
    ColourBox upper = widest->cut();
    boxes.push_back(std::move(upper));
  }
  return boxes;
}

int distance(Rgb a, Rgb b) {
  const int r = a.r - b.r, g = a.g - b.g, blue = a.b - b.b;
  return r * r + g * g + blue * blue;
}

}  // namespace

ColourCount::ColourCount(std::size_t most) : most_(most), cells_(kCells) {}

void ColourCount::add(const FigureImage& picture) {
  const std::vector<std::uint8_t>& rgba = picture.rgba;
  Rgb run;
  std::uint64_t length = 0;
  for (std::size_t at = 0; at < rgba.size(); at += 4) {
    const Rgb colour{rgba[at], rgba[at + 1], rgba[at + 2]};
    if (colour != run && length > 0) add_run(run, length), length = 0;
    run = colour;
    ++length;
  }
  if (length > 0) add_run(run, length);
}

void ColourCount::add_run(Rgb colour, std::uint64_t count) {
  Cell& cell = cells_[cell_of(colour)];
  cell.count += count;
  cell.sum[0] += count * colour.r;
  cell.sum[1] += count * colour.g;
  cell.sum[2] += count * colour.b;
  if (exact_.size() <= most_) exact_.emplace(number_of(colour), colour);
}

std::vector<Rgb> ColourCount::colours() const {
  if (exact_.empty()) return {Rgb{}};
  if (exact_.size() > most_) return means();
  std::vector<Rgb> colours;
  for (const auto& [number, colour] : exact_) colours.push_back(colour);
  std::ranges::sort(colours, {}, number_of);
  return colours;
}

std::vector<Rgb> ColourCount::means() const {
  std::vector<Weighted> colours;
  for (const Cell& cell : cells_) {
    if (cell.count == 0) continue;
    Weighted mean{{}, static_cast<double>(cell.count)};
    for (std::size_t c = 0; c < 3; ++c)
      mean.channels[c] = static_cast<double>(cell.sum[c]) / mean.count;
    colours.push_back(mean);
  }
  std::vector<Rgb> means;
  for (const ColourBox& box : boxes_of(std::move(colours), most_)) means.push_back(box.colour());
  return means;
}

std::uint8_t NearestColour::index_of(Rgb colour) {
  constexpr std::size_t kMostKnown = std::size_t{1} << 16;
  if (const auto found = known_.find(number_of(colour)); found != known_.end())
    return found->second;
  const auto nearest =
      std::ranges::min_element(colours_, {}, [&](Rgb one) { return distance(one, colour); });
  const auto index = static_cast<std::uint8_t>(nearest - colours_.begin());
  if (known_.size() >= kMostKnown) known_.clear();
  known_.emplace(number_of(colour), index);
  return index;
}

}  // namespace lab::figure
