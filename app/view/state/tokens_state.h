#pragma once

#include <array>

#include "app/figure/colour/palette.h"

namespace lab::view {

/// Which lines the Tokens card draws.
enum class TokenLines {
  kQuery,  ///< of the selected query in the focused head
  kAll,    ///< of every query in the focused head
  kHeads,  ///< of the selected query in several heads, each in its colour
};

/// How the lines from queries to keys are drawn.
struct TokensState {
  TokenLines lines = TokenLines::kQuery;
  float share = 0.9f;  ///< the fraction of a query's weight that its lines add up to
  /// The head, from 0, of each colour; −1: none.
  std::array<int, figure::kLineColours> heads{0, 1, 2, 3, 4, 5, 6};
};

}  // namespace lab::view
