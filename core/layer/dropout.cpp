#include "core/layer/dropout.h"

namespace attention {
namespace {

// The finaliser of splitmix64 (Steele, Lea, Flood 2014).
std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

}  // namespace

bool is_dropped(const Config& config, Index head, Index row, Index col) {
  const Index number = (head * Limits::kSeqLen + row) * Limits::kSeqLen + col;
  const std::uint64_t state =
      config.dropout_seed + 0x9E3779B97F4A7C15u * (static_cast<std::uint64_t>(number) + 1);
  const float share = static_cast<float>(mixed(state) >> 40) * 0x1p-24f;
  return share < config.dropout_rate;
}

float dropout_factor(const Config& config) {
  return static_cast<float>(1.0 / (1.0 - static_cast<double>(config.dropout_rate)));
}

}  // namespace attention
