#pragma once

#include <optional>

#include "core/problem.h"

namespace attention {

/// Sines and cosines of each position, [seq_len × d_model]: column 2i holds
/// sin(position / 10000^(2i / d_model)) and column 2i + 1 the cosine of the same angle
/// (Vaswani et al. 2017, section 3.5).
Matrix sinusoidal_positions(Index seq_len, Index d_model);

/// The angle in radians behind column `col` of sinusoidal_positions.
double sinusoidal_angle(Index position, Index col, Index d_model);

/// Number of pairs of features that rotary positions rotate: d_k / 2, or those of
/// Problem::rotary_frequencies.
Index rotary_pairs(const Problem& problem);

/// The angle in radians by which rotary positions rotate pair `pair` at `position`: position ·
/// base^(−2 pair / d_k) (Su et al. 2021), or position · rotary_frequencies(pair) in float32, as the
/// programs compute it that networks are trained with.
double rotary_angle(const Problem& problem, Index position, Index pair);

/// The two columns of a rotary pair.
struct RotaryColumns {
  Index first, second;
};
/// Columns 2i and 2i + 1, or i and i + the number of pairs, by config.rotary_pairs, counted from
/// Problem::rotary_first.
RotaryColumns rotary_columns(const Problem& problem, Index pair);
/// The pair that column `col` belongs to; nothing when it is not rotated.
std::optional<Index> rotary_pair_of(const Problem& problem, Index col);

/// The cosines and sines of all rotary angles times config.rotary_scale: [positions × pairs] each.
struct RotaryTable {
  Matrix cosines, sines;
  Index first = 0;  ///< the first feature that is rotated
};
/// The table of all rotary angles, the same for every head: pair (a, b) of row i becomes (a cos − b
/// sin, a sin + b cos).
RotaryTable rotary_table(const Problem& problem, Index positions);

}  // namespace attention
