#pragma once

#include <cstdint>

#include "app/document/commands/command.h"

namespace lab {

/// The seed of one matrix, derived from the seed of the whole model: different for every matrix of
/// every head, the same on every machine. `head` counts from 0.
std::uint64_t matrix_seed(std::uint64_t seed, MatrixId id, int head);

}  // namespace lab
