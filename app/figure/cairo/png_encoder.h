#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace lab::figure {

/// The properties of a PNG besides its pixels.
struct PngForm {
  int width = 1, height = 1;
  bool alpha = false;         ///< a pixel is RGBA, not premultiplied, else RGB
  std::optional<double> dpi;  ///< for the pHYs chunk; unset: no such chunk
  std::string keyword, text;  ///< a compressed iTXt chunk; no keyword: none
};

/// Encodes a PNG with 8 bits per channel row by row. Every member except the destructor throws
/// std::bad_alloc when memory runs out.
class PngEncoder {
 public:
  /// Starts an image. Precondition: width and height are at least 1 and within the limits of PNG.
  explicit PngEncoder(const PngForm& form);
  ~PngEncoder();
  /// Can be neither copied nor moved.
  PngEncoder(const PngEncoder&) = delete;
  PngEncoder& operator=(const PngEncoder&) = delete;

  /// Adds the next row from the top. Precondition: 3 · width bytes, with alpha 4 · width.
  void add_row(std::span<const std::uint8_t> row);
  /// The complete file. Precondition: every row was added.
  std::string finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lab::figure
