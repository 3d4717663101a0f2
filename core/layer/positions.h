#pragma once

#include "core/config.h"

namespace attention {

/// Sines and cosines of each position, [seq_len × d_model]: column 2i holds
/// sin(position / 10000^(2i / d_model)) and column 2i + 1 the cosine of the same angle
/// (Vaswani et al. 2017, section 3.5).
Matrix sinusoidal_positions(Index seq_len, Index d_model);

/// The angle in radians behind column `col` of sinusoidal_positions.
double sinusoidal_angle(Index position, Index col, Index d_model);

/// The angle in radians by which rotary positions rotate pair `pair` (0 … d_k / 2 − 1) at
/// `position`: position · base^(−2 pair / d_k) (Su et al. 2021).
double rotary_angle(const Config& config, Index position, Index pair);

/// The two columns of a rotary pair.
struct RotaryColumns {
  Index first, second;
};
/// Columns 2i and 2i + 1, or i and i + d_k / 2, by config.rotary_pairs.
RotaryColumns rotary_columns(const Config& config, Index pair);

/// The cosines and sines of all rotary angles: [positions × d_k / 2] each.
struct RotaryTable {
  Matrix cosines, sines;
};
/// The table of all rotary angles, the same for every head: pair (a, b) of row i becomes (a cos − b
/// sin, a sin + b cos).
RotaryTable rotary_table(const Config& config, Index positions);

}  // namespace attention
