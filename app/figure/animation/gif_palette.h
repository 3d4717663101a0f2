#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "app/figure/colour/palette.h"
#include "app/figure/figure_image.h"

namespace lab::figure {

/// Chooses a palette for many images: their own colours if there are few enough, else the means of
/// boxes of colours, split where the pixels differ most.
class ColourCount {
 public:
  /// For at most `most` colours.
  explicit ColourCount(std::size_t most);

  /// Counts the pixels of an image.
  void add(const FigureImage& picture);
  /// The palette: at least one colour and at most as many as requested; deterministic.
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
  std::unordered_map<std::uint32_t, Rgb> exact_;  // the exact colours, until there are too many
};

/// Finds the nearest colour of a palette.
class NearestColour {
 public:
  /// `colours` has 1 to 256 entries.
  explicit NearestColour(std::vector<Rgb> colours) : colours_(std::move(colours)) {}
  /// The index of the nearest colour; of several, the first.
  std::uint8_t index_of(Rgb colour);

 private:
  std::vector<Rgb> colours_;
  std::unordered_map<std::uint32_t, std::uint8_t> known_;  // a cache, cleared when it grows large
};

}  // namespace lab::figure
