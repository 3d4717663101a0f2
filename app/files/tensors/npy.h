#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/files/tensors/tensors.h"

namespace lab::files {

/// The first bytes of every .npy file.
inline constexpr std::string_view kNpyMagic = "\x93NUMPY";

/// The number of dimensions of the array that begins with `start`, without leading ones of 1;
/// nothing when its header cannot be read.
std::optional<std::size_t> npy_rank(std::string_view start);

/// The same as read_npy, but throws BadInput.
Tensor parse_npy(std::string_view bytes);

/// The texts of a one-dimensional array of strings ('<U7', '|S5'), as numpy.array(["a", "b"]) is
/// saved; nothing when it holds something else. Throws BadInput when it is damaged.
std::optional<std::vector<std::string>> parse_npy_texts(std::string_view bytes);

/// A one-dimensional array of type U8 ('|u1') with the bytes of `text`.
std::string write_npy_text(std::string_view text);

}  // namespace lab::files
