#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace lab {

/// Makes the bytes of a PNG picture of 8-bit RGB, row by row. Every member but the destructor
/// throws std::bad_alloc when memory is short.
class PngEncoder {
 public:
  /// Begins a picture with its resolution (the pHYs chunk), if there is one to be recorded.
  /// Precondition: width and height are at least 1 and within what a PNG can be.
  PngEncoder(int width, int height, std::optional<double> dpi);
  ~PngEncoder();
  PngEncoder(const PngEncoder&) = delete;
  PngEncoder& operator=(const PngEncoder&) = delete;

  /// Adds the next row from the top. Precondition: 3 · width bytes.
  void add_row(std::span<const std::uint8_t> rgb);
  /// The whole file. Precondition: every row was added.
  std::string finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lab
