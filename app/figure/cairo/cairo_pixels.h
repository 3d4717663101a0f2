#pragma once

#include <cstdint>
#include <span>

namespace lab::figure {

/// A row of Cairo's pixels, 0xAARRGGBB in each number of 32 bits with the colour premultiplied, as
/// bytes: with 3 channels RGB, with 4 RGBA, not premultiplied. Precondition: `pixels` has as many
/// of them as `to` has room for.
void unpack_row(const unsigned char* pixels, int channels, std::span<std::uint8_t> to);

}  // namespace lab::figure
