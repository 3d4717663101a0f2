#pragma once

#include <cstdint>
#include <string_view>

#include "core/matrix.h"

namespace attention {

/// The default embedding of a word: [1 × d_model], drawn from the word's bytes alone, so that the
/// same word has the same vector on every machine. Entries are about N(0, 1), rounded to 0.01 so
/// that the numbers shown are exact. The first columns do not depend on d_model.
RowVector default_embedding(std::string_view word, Index d_model);

/// A stream of random numbers that is the same on every machine: splitmix64 (Steele, Lea,
/// Flood 2014) and sums of uniforms, no transcendental functions.
class PortableRandom {
 public:
  /// Starts the stream for `seed`.
  explicit PortableRandom(std::uint64_t seed) : state_(seed) {}
  /// The next 64 bits.
  std::uint64_t next();
  /// Uniform in [0, 1), 24 bits.
  float uniform();
  /// About N(0, 1): the sum of twelve uniforms minus 6 (Irwin–Hall).
  float normal();

 private:
  std::uint64_t state_;
};

}  // namespace attention
