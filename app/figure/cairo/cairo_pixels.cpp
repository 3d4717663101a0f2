#include "app/figure/cairo/cairo_pixels.h"

#include <cstring>

namespace lab::figure {

void unpack_row(const unsigned char* pixels, int channels, std::span<std::uint8_t> to) {
  const auto step = static_cast<std::size_t>(channels);
  for (std::size_t at = 0; at < to.size(); at += step, pixels += 4) {
    std::uint32_t pixel = 0;
    std::memcpy(&pixel, pixels, 4);
    const std::uint32_t alpha = channels == 4 ? pixel >> 24 : 255;
    for (std::size_t c = 0; c < 3; ++c) {
      const std::uint32_t value = pixel >> (16 - 8 * c) & 0xff;
      to[at + c] = static_cast<std::uint8_t>(alpha == 0 ? 0 : (value * 255 + alpha / 2) / alpha);
    }
    if (channels == 4) to[at + 3] = static_cast<std::uint8_t>(alpha);
  }
}

}  // namespace lab::figure
