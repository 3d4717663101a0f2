#include "core/config.h"

#include <cmath>
#include <sstream>
#include <stdexcept>
#include <string>

namespace attention {
namespace {

[[noreturn]] void refuse(const char* name, const auto& value, const std::string& expected) {
  std::ostringstream text;
  text << name << " is " << value << ", it must be " << expected;
  throw std::invalid_argument(text.str());
}

void check_size(const char* name, int value, int smallest, int limit) {
  if (value >= smallest && value <= limit) return;
  refuse(name, value, std::to_string(smallest) + " … " + std::to_string(limit));
}

// Dividing by a number below the normal range would give infinity.
void check_positive(const char* name, float value) {
  if (!(value > 0.0f && std::isfinite(value))) refuse(name, value, "a positive number");
  if (!std::isnormal(value)) {
    refuse(name, value, "at least 1.17549e-38, the smallest normal number");
  }
}

void check_cap(float cap) {
  if (!(cap >= 0.0f && std::isfinite(cap)))
    refuse("score_cap", cap, "a number from 0, which is no cap");
}

void check_rate(float rate) {
  if (!(rate >= 0.0f && rate < 1.0f)) refuse("dropout_rate", rate, "from 0 to below 1");
}

void check_sizes(const Config& config) {
  check_size("d_model", config.d_model, 1, Limits::kDModel);
  check_size("n_heads", config.n_heads, 1, Limits::kHeads);
  check_size("d_k", config.d_k, 1, Limits::kHeadSize);
  check_size("d_v", config.d_v, 1, Limits::kHeadSize);
  check_size("d_out", config.d_out, 1, Limits::kDModel);
  check_size("n_kv_heads", config.n_kv_heads, 0, config.n_heads);
  check_size("key_count", config.mask.key_count, 0, Limits::kSeqLen);
  check_size("window", config.mask.window, 0, Limits::kSeqLen);
}

// Checks the sizes that must match each other.
void check_fit(const Config& config) {
  const std::string d_model = std::to_string(config.d_model);
  if (config.n_heads % kv_head_count(config) != 0) {
    refuse("n_kv_heads", config.n_kv_heads,
           "a divisor of n_heads, which is " + std::to_string(config.n_heads));
  }
  if (config.positions == Positions::kRotary && config.d_k % 2 != 0) {
    refuse("d_k", config.d_k, "even with rotary positions");
  }
  if (config.residual && config.d_out != config.d_model) {
    refuse("d_out", config.d_out, "d_model with a residual, which is " + d_model);
  }
  if (config.head_build == HeadBuild::kSeparate) return;
  const std::string expected = "d_model where heads are split, which is " + d_model;
  if (config.n_heads * config.d_k != config.d_model) {
    refuse("n_heads · d_k", config.n_heads * config.d_k, expected);
  }
  if (config.n_heads * config.d_v != config.d_model) {
    refuse("n_heads · d_v", config.n_heads * config.d_v, expected);
  }
}

void check_parameter_count(const Config& config) {
  const Index queries = Index{config.n_heads} * config.d_model * config.d_k;
  const Index kv = Index{kv_head_count(config)} * config.d_model * (config.d_k + config.d_v);
  const Index count = queries + kv + Index{config.n_heads} * config.d_v * config.d_out;
  if (count <= Limits::kParameters) return;
  throw std::invalid_argument("the weights have " + std::to_string(count) +
                              " numbers together, they must have at most " +
                              std::to_string(Limits::kParameters));
}

// The finaliser of splitmix64 (Steele, Lea, Flood 2014).
std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

}  // namespace

int kv_head_count(const Config& config) {
  return config.n_kv_heads == 0 ? config.n_heads : config.n_kv_heads;
}

int kv_head_of(const Config& config, int head) {
  if (head < 0 || head >= config.n_heads) {
    throw std::out_of_range("there is no head_" + std::to_string(head + 1) + " among " +
                            std::to_string(config.n_heads));
  }
  return static_cast<int>(Index{head} * kv_head_count(config) / config.n_heads);
}

int heads_per_kv_head(const Config& config) { return config.n_heads / kv_head_count(config); }

float score_factor(const Config& config) {
  const double root = config.scale ? std::sqrt(static_cast<double>(config.d_k)) : 1.0;
  return static_cast<float>(1.0 / (root * static_cast<double>(config.temperature)));
}

void validate(const Config& config) {
  check_sizes(config);
  check_fit(config);
  check_positive("temperature", config.temperature);
  check_positive("head_norm_epsilon", config.head_norm_epsilon);
  check_cap(config.score_cap);
  check_positive("layer_norm_epsilon", config.layer_norm_epsilon);
  if (!(config.rotary_base >= 1.0f && std::isfinite(config.rotary_base))) {
    refuse("rotary_base", config.rotary_base, "a number from 1");
  }
  check_positive("rotary_scale", config.rotary_scale);
  check_rate(config.dropout_rate);
  check_parameter_count(config);
}

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
