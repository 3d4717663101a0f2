#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "app/figure/colour/palette.h"
#include "app/figure/figure_image.h"

namespace lab::figure {

/// Finds few colours for many pictures: their own as long as there are no more than asked for, else
/// the means of boxes of colours, cut where the pixels differ most.
class ColourCount {
 public:
  /// For at most that many colours.
  explicit ColourCount(std::size_t most);

  /// Counts the pixels of a picture.
  void add(const FigureImage& picture);
  /// The colours, at least one and at most as many as asked for; the same for the same pictures.
  std::vector<Rgb> colours() const;

 private:
  struct Cell {  // the colours whose channels have the same upper bits
    std::uint64_t count = 0;
    std::uint64_t sum[3] = {};  // of red, green and blue
  };

  void add_run(Rgb colour, std::uint64_t count);
  std::vector<Rgb> means() const;

  std::size_t most_;
  std::vector<Cell> cells_;
  std::unordered_map<std::uint32_t, Rgb> exact_;  // what there is, until it is too much
};

/// Finds the nearest of some colours.
class NearestColour {
 public:
  /// Among `colours`, of which there are 1 to 256.
  explicit NearestColour(std::vector<Rgb> colours) : colours_(std::move(colours)) {}
  /// The place of the nearest; of several the first.
  std::uint8_t place(Rgb colour);

 private:
  std::vector<Rgb> colours_;
  std::unordered_map<std::uint32_t, std::uint8_t> known_;  // forgotten when it grows large
};

}  // namespace lab::figure
