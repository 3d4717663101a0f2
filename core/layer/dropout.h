#pragma once

#include "core/config.h"

namespace attention {

/// True when dropout removes the weight of query `row` and key `col` in `head` (all from 0). The
/// same seed, rate and cell give the same answer on every machine and at every sequence length: the
/// upper 24 bits of number (head · 2048 + row) · 2048 + col of the stream splitmix64(dropout_seed),
/// divided by 2^24, are below the rate.
bool is_dropped(const Config& config, Index head, Index row, Index col);

/// The factor of the weights that are kept: 1 / (1 − dropout_rate).
float dropout_factor(const Config& config);

}  // namespace attention
