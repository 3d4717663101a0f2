#include "core/config.h"

#include <cmath>
#include <sstream>
#include <stdexcept>
#include <string>

namespace attention {
namespace {

void check_size(const char* name, int value, int limit) {
  if (value >= 1 && value <= limit) return;
  throw std::invalid_argument(std::string(name) + " is " + std::to_string(value) +
                              ", it must be 1 … " + std::to_string(limit));
}

// A temperature below the normal range would make the factor of the scores infinite.
void check_temperature(float temperature) {
  if (std::isnormal(temperature) && temperature > 0.0f) return;
  std::ostringstream text;
  text << "temperature is " << temperature << ", it must be a positive number";
  throw std::invalid_argument(text.str());
}

Index parameter_count(const Config& config) {
  const Index per_head = config.d_model * (Index{2} * config.d_k + config.d_v);
  return config.n_heads * (per_head + Index{config.d_v} * config.d_out);
}

}  // namespace

float score_factor(const Config& config) {
  const double root = config.scale ? std::sqrt(static_cast<double>(config.d_k)) : 1.0;
  return static_cast<float>(1.0 / (root * static_cast<double>(config.temperature)));
}

void validate(const Config& config) {
  check_size("d_model", config.d_model, Limits::kDModel);
  check_size("n_heads", config.n_heads, Limits::kHeads);
  check_size("d_k", config.d_k, Limits::kHeadSize);
  check_size("d_v", config.d_v, Limits::kHeadSize);
  check_size("d_out", config.d_out, Limits::kDModel);
  check_temperature(config.temperature);
  const Index count = parameter_count(config);
  if (count > Limits::kParameters) {
    throw std::invalid_argument("the weights have " + std::to_string(count) +
                                " numbers together, they must have at most " +
                                std::to_string(Limits::kParameters));
  }
}

}  // namespace attention
