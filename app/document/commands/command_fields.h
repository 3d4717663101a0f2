#pragma once

// How a command names a field that is more than its type says; see the fields() of the commands.

namespace lab {

/// A whole number that counts from 0 and is written from 1, as people count heads. Fields that are
/// plain ints are written as they are, and read from 0 on.
template <typename Int>
struct CountedFromOne {
  explicit CountedFromOne(Int& field) : number(field) {}
  Int& number;
};

/// A whole number that may be negative.
template <typename Int>
struct AnyWhole {
  explicit AnyWhole(Int& field) : number(field) {}
  Int& number;
};

}  // namespace lab
