#pragma once

#include <algorithm>

#include "core/matrix.h"

namespace attention::training {

// Loops over rows in groups of 16 numbers, which compile to vector instructions and add up in an
// order that depends only on the length of the row, not on where it stands in memory.

/// A group of numbers.
constexpr Index kLanes = 16;
using Lanes = Eigen::Array<float, kLanes, 1>;

/// A complete group, from number `first` of a row on.
struct WholeLanes {
  Index first;

  /// The numbers of the row at `row` there.
  Lanes load(const float* row, float = 0) const { return Eigen::Map<const Lanes>(row + first); }
  /// Writes them.
  void store(const Lanes& lanes, float* row) const { Eigen::Map<Lanes>(row + first) = lanes; }
  /// With `value` in lanes that the row does not have.
  const Lanes& filled(const Lanes& lanes, float) const { return lanes; }
};

/// The first `count` lanes of a group at the end of a row.
struct SomeLanes {
  Index first, count;

  /// The numbers of the row there, and `rest` in the other lanes.
  Lanes load(const float* row, float rest = 0) const {
    Lanes lanes = Lanes::Constant(rest);
    std::copy_n(row + first, count, lanes.data());
    return lanes;
  }
  /// Writes those of the row.
  void store(const Lanes& lanes, float* row) const {
    std::copy_n(lanes.data(), count, row + first);
  }
  /// With `value` in lanes that the row does not have.
  Lanes filled(Lanes lanes, float value) const {
    for (Index i = count; i < kLanes; ++i) lanes(i) = value;
    return lanes;
  }
};

/// Calls use(lanes) for each group of a row of `count` numbers.
template <typename Use>
void for_lanes(Index count, Use use) {
  Index first = 0;
  for (; first + kLanes <= count; first += kLanes) use(WholeLanes{first});
  if (first < count) use(SomeLanes{first, count - first});
}

/// `count` rounded up to whole groups.
inline Index whole_lanes(Index count) { return (count + kLanes - 1) / kLanes * kLanes; }

}  // namespace attention::training
