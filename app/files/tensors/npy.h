#pragma once

#include <string>
#include <string_view>

#include "app/files/tensors/tensors.h"

namespace lab::files {

/// The first bytes of every .npy file.
inline constexpr std::string_view kNpyMagic = "\x93NUMPY";

/// The same as read_npy, but throws BadInput.
Tensor parse_npy(std::string_view bytes);

/// A one-dimensional array of type U8 ('|u1') with the bytes of `text`.
std::string write_npy_text(std::string_view text);

}  // namespace lab::files
