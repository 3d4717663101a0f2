#pragma once

#include <cstdint>
#include <vector>

#include "core/network/network_evaluator.h"

namespace attention::network {

/// How much a head attends in a known pattern, each from 0 to 1: the mean weight over the rows for
/// which the pattern names a key.
struct HeadScores {
  float previous = 0;   ///< the token before (row i, key i − 1)
  float first = 0;      ///< the first token (rows from 1)
  float duplicate = 0;  ///< earlier tokens with the same id, together
  float induction = 0;  ///< the tokens after those, together (Olsson et al. 2022)
};

/// The scores of each head of `stack`, layer by layer, on tokens with these ids. A pattern that no
/// row has scores 0. Labels mean most on tokens chosen at random and then repeated, see
/// repeated_tokens().
std::vector<HeadScores> head_scores(const StackTrace& stack, const std::vector<std::uint32_t>& ids,
                                    Index n_heads);

/// `period` ids below `vocabulary`, random and different from each other where there are enough,
/// twice: the same for the same seed.
std::vector<std::uint32_t> repeated_tokens(Index period, std::uint32_t vocabulary,
                                           std::uint64_t seed);

}  // namespace attention::network
