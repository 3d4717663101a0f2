#include "core/tests/random_problem.h"

#include <cmath>
#include <limits>

namespace attention::test {
namespace {

Config small_config() {
  Config config;
  config.d_model = 6;
  config.n_heads = 3;
  config.d_k = 4;
  config.d_v = 3;
  config.d_out = 5;
  return config;
}

void add_biases(Problem& problem, PortableRandom& random) {
  const Config& config = problem.config;
  for (HeadParameters& head : problem.parameters.heads) {
    head.b_Q = SharedMatrix(random_matrix(1, config.d_k, random));
    head.b_K = SharedMatrix(random_matrix(1, config.d_k, random));
    head.b_V = SharedMatrix(random_matrix(1, config.d_v, random));
  }
  problem.parameters.b_O = SharedMatrix(random_matrix(1, config.d_out, random));
}

Problem masked_variant(PortableRandom& random) {
  Problem problem = random_problem(small_config(), 5, 0, random);
  problem.config.mask = MaskKind::kCausal;
  problem.allowed = SharedMatrix(random_mask(5, 5, 0.7, random));
  problem.allowed.edit([](Matrix& allowed) { allowed.row(3).setZero(); });
  problem.bias = SharedMatrix(random_matrix(5, 5, random));
  return problem;
}

Problem cross_variant(PortableRandom& random) {
  Problem problem = random_problem(small_config(), 4, 7, random);
  add_biases(problem, random);
  problem.bias = SharedMatrix(random_matrix(4, 7, random));
  problem.bias.edit([](Matrix& bias) { bias(1, 2) = -std::numeric_limits<float>::infinity(); });
  return problem;
}

Problem unscaled_variant(PortableRandom& random) {
  Problem problem = random_problem(small_config(), 6, 0, random);
  problem.config.scale = false;
  return problem;
}

Problem temperature_variant(PortableRandom& random) {
  Problem problem = random_problem(small_config(), 6, 0, random);
  problem.config.temperature = 0.25f;
  add_biases(problem, random);
  return problem;
}

}  // namespace

Matrix random_matrix(Index rows, Index cols, PortableRandom& random) {
  return Matrix::NullaryExpr(rows, cols, [&] { return random.normal(); });
}

Matrix random_mask(Index rows, Index cols, double share, PortableRandom& random) {
  return Matrix::NullaryExpr(rows, cols, [&] { return random.uniform() < share ? 1.0f : 0.0f; });
}

Index random_below(Index count, PortableRandom& random) {
  return static_cast<Index>(random.next() % static_cast<std::uint64_t>(count));
}

bool random_bool(PortableRandom& random) { return random_below(2, random) == 0; }

HeadParameters random_head(const Config& config, PortableRandom& random) {
  const float size = 1.0f / std::sqrt(static_cast<float>(config.d_model));
  HeadParameters head;
  head.W_Q = SharedMatrix(size * random_matrix(config.d_model, config.d_k, random));
  head.W_K = SharedMatrix(size * random_matrix(config.d_model, config.d_k, random));
  head.W_V = SharedMatrix(size * random_matrix(config.d_model, config.d_v, random));
  return head;
}

Problem random_problem(const Config& config, Index seq_len, Index kv_len, PortableRandom& random) {
  Problem problem;
  problem.config = config;
  problem.X = SharedMatrix(random_matrix(seq_len, config.d_model, random));
  if (kv_len > 0) problem.X_kv = SharedMatrix(random_matrix(kv_len, config.d_model, random));
  for (int h = 0; h < config.n_heads; ++h) {
    problem.parameters.heads.push_back(random_head(config, random));
  }
  problem.parameters.W_O =
      SharedMatrix(random_matrix(config.n_heads * config.d_v, config.d_out, random));
  return problem;
}

std::vector<Problem> problem_variants() {
  PortableRandom random(2017);
  return {random_problem(small_config(), 5, 0, random), masked_variant(random),
          cross_variant(random), unscaled_variant(random), temperature_variant(random)};
}

Index head_count(const Trace& trace, Stage stage) {
  return is_per_head(stage) ? std::ssize(trace.heads) : 1;
}

}  // namespace attention::test
