#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "core/matrix.h"

namespace attention::network {

/// How the numbers of a file are encoded. Those after kBFloat16 are quantised: a block of them
/// shares scales. Their layouts are those of GGUF files, whose names they have here.
enum class StoredFormat {
  kFloat32,   ///< IEEE 754 single precision
  kFloat16,   ///< IEEE 754 half precision
  kBFloat16,  ///< the upper half of a float32
  kQ4_0,      ///< 4 bits times a scale
  kQ4_1,      ///< 4 bits times a scale, plus a minimum
  kQ5_0,      ///< 5 bits times a scale
  kQ5_1,      ///< 5 bits times a scale, plus a minimum
  kQ8_0,      ///< 8 bits times a scale
  kQ2_K,      ///< 2 bits; 16 numbers share a scale and a minimum of 4 bits each
  kQ3_K,      ///< 3 bits; 16 numbers share a scale of 6 bits
  kQ4_K,      ///< 4 bits; 32 numbers share a scale and a minimum of 6 bits each
  kQ5_K,      ///< 5 bits; as Q4_K
  kQ6_K,      ///< 6 bits; 16 numbers share a scale of 8 bits
  kIQ1_S,     ///< 8 numbers are one of 2 048 patterns of −1, 0 and 1
  kIQ1_M,     ///< the same with finer scales
  kIQ2_XXS,   ///< 8 numbers are one of 256 patterns, and signs
  kIQ2_XS,    ///< … one of 512
  kIQ2_S,     ///< … one of 1 024
  kIQ3_XXS,   ///< 4 numbers are one of 256 patterns, and signs
  kIQ3_S,     ///< … one of 512
  kIQ4_NL,    ///< 4 bits choose one of 16 unequally spaced values
  kIQ4_XS,    ///< the same; 32 numbers share a scale of 6 bits
  kTQ1_0,     ///< −1, 0 or 1, five to a byte
  kTQ2_0,     ///< −1, 0 or 1, four to a byte
  kMXFP4,     ///< floating point of 4 bits; 32 numbers share an exponent
  kNVFP4,     ///< floating point of 4 bits; 16 numbers share a scale of 8 bits
};

/// The layout of a format.
struct StoredFormatInfo {
  StoredFormat format;
  std::string_view name;  ///< "Q4_K"
  Index block;            ///< numbers in a block; 1 where each stands alone
  std::size_t bytes;      ///< of a block
  /// Writes the numbers of `count` blocks at `from`, which need not be aligned, to `to`.
  void (*widen)(const std::byte* from, Index count, float* to);
};

/// The most numbers in a block of any format.
inline constexpr Index kLargestBlock = 256;

/// The layout of `format`.
const StoredFormatInfo& stored_format_info(StoredFormat format);

/// The format of that name; std::nullopt when there is none.
std::optional<StoredFormat> stored_format_from_name(std::string_view name);

}  // namespace attention::network
