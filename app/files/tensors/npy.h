#pragma once

#include <string>
#include <string_view>

#include "app/files/tensors/tensors.h"

namespace lab::files {

/// What every .npy file begins with.
inline constexpr std::string_view kNpyMagic = "\x93NUMPY";

/// As read_npy; throws BadInput instead.
Tensor parse_npy(std::string_view bytes);

/// A one-dimensional array of type U8 ('|u1') that holds the bytes of `text`.
std::string write_npy_text(std::string_view text);

}  // namespace lab::files
