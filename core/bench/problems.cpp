#include "core/bench/problems.h"

#include "core/initialise.h"

namespace attention::bench {

std::string Sizes::text() const {
  return std::to_string(seq_len) + "x" + std::to_string(d_model) + "x" + std::to_string(n_heads);
}

Problem make_problem(const Sizes& sizes, std::uint64_t seed) {
  Problem problem;
  Config& config = problem.config;
  config.d_model = config.d_out = sizes.d_model;
  config.n_heads = sizes.n_heads;
  config.d_k = config.d_v = sizes.d_model / sizes.n_heads;
  problem.embedding = SharedMatrix(filled(FillType::kNormal, {sizes.seq_len, sizes.d_model}, seed));
  std::uint64_t weight_seed = 1000;
  const auto weights = [&](Index rows, Index cols) {
    return SharedMatrix(filled(FillType::kXavier, {rows, cols}, weight_seed++));
  };
  for (int h = 0; h < sizes.n_heads; ++h) {
    problem.parameters.heads.push_back({weights(config.d_model, config.d_k), {}});
    problem.parameters.kv_heads.push_back(
        {weights(config.d_model, config.d_k), weights(config.d_model, config.d_v), {}, {}});
  }
  problem.parameters.W_O = weights(config.n_heads * config.d_v, config.d_out);
  return problem;
}

}  // namespace attention::bench
