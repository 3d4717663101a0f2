#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace lab::figure {

/// What a PNG picture is besides its pixels.
struct PngForm {
  int width = 1, height = 1;
  bool alpha = false;         ///< a pixel is RGBA, not premultiplied, else RGB
  std::optional<double> dpi;  ///< to be recorded (the pHYs chunk)
  std::string keyword, text;  ///< to be carried, compressed (an iTXt chunk); no keyword: nothing
};

/// Makes the bytes of a PNG picture of 8 bits a channel, row by row. Every member but the
/// destructor throws std::bad_alloc when memory is short.
class PngEncoder {
 public:
  /// Begins a picture. Precondition: width and height are at least 1 and within what a PNG can be.
  explicit PngEncoder(const PngForm& form);
  ~PngEncoder();
  PngEncoder(const PngEncoder&) = delete;
  PngEncoder& operator=(const PngEncoder&) = delete;

  /// Adds the next row from the top. Precondition: 3 · width bytes, with alpha 4 · width.
  void add_row(std::span<const std::uint8_t> row);
  /// The whole file. Precondition: every row was added.
  std::string finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lab::figure
