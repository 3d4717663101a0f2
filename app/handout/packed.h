#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "app/base/error.h"

namespace lab::handout {

/// How compressed bytes are framed.
enum class Packing {
  kGzip,       ///< RFC 1952
  kRawDeflate  ///< RFC 1951 alone
};

/// `bytes`, compressed; the same bytes give the same result.
std::string packed(std::string_view bytes, Packing packing);

/// The bytes that packed() was given. Fails with kBadInput when `bytes` are no such, are cut or
/// followed by others, or unfold to more than `most` bytes.
Expected<std::string> unpacked(std::string_view bytes, Packing packing, std::size_t most);

}  // namespace lab::handout
