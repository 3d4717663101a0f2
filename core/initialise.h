#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/matrix.h"

namespace attention {

/// Ways to fill a matrix.
enum class FillType {
  kZero,      ///< 0 everywhere
  kIdentity,  ///< 1 on the main diagonal, 0 elsewhere, for any shape
  kNormal,    ///< N(0, 1), seeded
  kXavier,    ///< uniform in ±√(6 / (rows + cols)), seeded (Glorot and Bengio 2010)
};

/// "zero", "identity", "normal", "xavier".
std::string_view fill_name(FillType type);
/// The type with that name; std::nullopt if there is none.
std::optional<FillType> fill_from_name(std::string_view name);

/// A [shape.rows × shape.cols] matrix filled according to `type`; the same seed gives the same
/// numbers on every machine. Zero and identity ignore the seed.
Matrix filled(FillType type, Shape shape, std::uint64_t seed);

}  // namespace attention
