#pragma once

#include "core/config.h"

namespace attention {

/// True when dropout takes the weight of query `row` and key `col` in `head` (all from 0). The
/// same seed, rate and place give the same answer on every machine and at every sequence length:
/// number (head · 2048 + row) · 2048 + col of the stream splitmix64(dropout_seed), its upper 24
/// bits as a share of 2^24, is below the rate.
bool is_dropped(const Config& config, Index head, Index row, Index col);

/// What the weights that stay are multiplied by: 1 / (1 − dropout_rate).
float dropout_factor(const Config& config);

}  // namespace attention
