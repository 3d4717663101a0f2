#pragma once

#include <cstdint>
#include <span>

namespace lab::figure {

/// Converts a row of Cairo pixels (0xAARRGGBB in 32 bits, premultiplied) to bytes: RGB with 3
/// channels, RGBA with 4, not premultiplied. Precondition: `pixels` has as many pixels as fit into
/// `to`.
void unpack_row(const unsigned char* pixels, int channels, std::span<std::uint8_t> to);

}  // namespace lab::figure
