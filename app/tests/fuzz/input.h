#pragma once

#include <cstdlib>
#include <span>
#include <string_view>

#include "app/files/tensors/tensors.h"
#include "app/tests/rooms.h"

namespace lab::fuzz {

/// Reads `input` as one kind of file, and ends the program where what must hold of it does not.
/// Each kind of file has its own.
void try_input(std::string_view input);

/// One of several kinds that a file of fuzzers reads.
struct Target {
  std::string_view name;  ///< that of the fuzzer
  void (*try_input)(std::string_view input);
};

/// Reads `input` as the kind that this fuzzer is built for, which is one of `targets`.
inline void try_target(std::span<const Target> targets, std::string_view input) {
  for (const Target& target : targets)
    if (target.name == FUZZ_TARGET) return target.try_input(input);
  std::abort();
}

/// Ends the program, which the fuzzer then reports, unless `holds`.
inline void must(bool holds) {
  if (!holds) std::abort();
}

/// True when both hold the same bits; any NaN is like another.
bool same_numbers(const std::vector<float>& a, const std::vector<float>& b);
/// True when names, order, shapes and numbers are the same.
bool same_tensors(const TensorFile& a, const TensorFile& b);

}  // namespace lab::fuzz
