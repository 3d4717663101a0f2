#pragma once

// Wrappers for fields whose text form does not follow from their type; see the fields() of the
// commands.

namespace lab {

/// A whole number that counts from 0 and is written from 1, as people count. Plain int fields are
/// written unchanged, and must be at least 0 when read.
template <typename Int>
struct CountedFromOne {
  /// `field` must outlive it.
  explicit CountedFromOne(Int& field) : number(field) {}
  Int& number;
};

/// The number of a head, from 0: written from 1, but from 0 in lines on a trained model.
template <typename Int>
struct HeadNumber {
  /// `field` must outlive it.
  explicit HeadNumber(Int& field) : number(field) {}
  Int& number;
};

/// A whole number that may be negative.
template <typename Int>
struct AnyWhole {
  /// `field` must outlive it.
  explicit AnyWhole(Int& field) : number(field) {}
  Int& number;
};

}  // namespace lab
