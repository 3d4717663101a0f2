#include "core/axis.h"

#include <algorithm>
#include <array>

#include "core/problem.h"

namespace attention {
namespace {

// In the order of Axis.
constexpr std::array<std::string_view, 11> kAxisNames = {
    "1",   "seq_len",     "kv_len", "positions",   "d_model",       "d_k",
    "d_v", "n_heads·d_v", "d_out",  "n_heads·d_k", "n_kv_heads·d_k"};

}  // namespace

std::string_view axis_name(Axis axis) { return kAxisNames.at(static_cast<size_t>(axis)); }

Index axis_length(const Config& config, Axis axis) {
  switch (axis) {
    case Axis::kModel:
      return config.d_model;
    case Axis::kKeyFeatures:
      return config.d_k;
    case Axis::kValueFeatures:
      return config.d_v;
    case Axis::kConcat:
      return Index{config.n_heads} * config.d_v;
    case Axis::kOut:
      return config.d_out;
    case Axis::kQueryHeads:
      return Index{config.n_heads} * config.d_k;
    case Axis::kKeyHeads:
      return Index{kv_head_count(config)} * config.d_k;
    default:
      return 1;
  }
}

Index axis_length(const Problem& problem, Axis axis) {
  switch (axis) {
    case Axis::kQueries:
      return problem.seq_len();
    case Axis::kKeys:
      return problem.kv_len();
    case Axis::kPositions:
      return std::max(problem.seq_len(), problem.kv_len());
    default:
      return axis_length(problem.config, axis);
  }
}

}  // namespace attention
