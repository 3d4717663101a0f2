#include "core/tests/random_problem.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/matrix_id.h"

namespace attention::test {
namespace {

SharedMatrix random_weight(Index rows, Index cols, PortableRandom& random) {
  const float size = 1.0f / std::sqrt(static_cast<float>(rows));
  return SharedMatrix(size * random_matrix(rows, cols, random));
}

SharedMatrix random_row(Index cols, PortableRandom& random) {
  return SharedMatrix(random_matrix(1, cols, random));
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

QueryParameters random_query_head(const Config& config, PortableRandom& random) {
  return {random_weight(config.d_model, config.d_k, random), {}};
}

KeyValueParameters random_kv_head(const Config& config, PortableRandom& random) {
  KeyValueParameters head;
  head.W_K = random_weight(config.d_model, config.d_k, random);
  head.W_V = random_weight(config.d_model, config.d_v, random);
  return head;
}

Problem random_problem(const Config& config, Index seq_len, Index kv_len, PortableRandom& random) {
  Problem problem;
  problem.config = config;
  problem.embedding = SharedMatrix(random_matrix(seq_len, config.d_model, random));
  if (kv_len > 0) {
    problem.embedding_kv = SharedMatrix(random_matrix(kv_len, config.d_model, random));
  }
  if (config.positions == Positions::kLearned) {
    const Index rows = std::max(seq_len, kv_len) + 2;
    problem.position_table = SharedMatrix(random_matrix(rows, config.d_model, random));
  }
  for (int h = 0; h < config.n_heads; ++h) {
    problem.parameters.heads.push_back(random_query_head(config, random));
  }
  for (int g = 0; g < kv_head_count(config); ++g) {
    problem.parameters.kv_heads.push_back(random_kv_head(config, random));
  }
  problem.parameters.W_O = random_weight(config.n_heads * config.d_v, config.d_out, random);
  return problem;
}

void add_biases(Problem& problem, PortableRandom& random) {
  const Config& config = problem.config;
  Parameters& parameters = problem.parameters;
  for (QueryParameters& head : parameters.heads) {
    head.b_Q = random_row(config.d_k, random);
    if (config.sink) head.sink = random_row(1, random);
  }
  for (KeyValueParameters& head : parameters.kv_heads) {
    head.b_K = random_row(config.d_k, random);
    head.b_V = random_row(config.d_v, random);
  }
  parameters.b_O = random_row(config.d_out, random);
  if (config.head_norm) {
    const auto factors = [&](MatrixId id) {
      const auto [rows, cols] = parameter_shape(config, id);
      return SharedMatrix(random_matrix(rows, cols, random));
    };
    parameters.norm_Q = factors(MatrixId::kNormQ);
    parameters.norm_K = factors(MatrixId::kNormK);
  }
  if (!config.layer_norm) return;
  parameters.gamma = random_row(config.d_out, random);
  parameters.beta = random_row(config.d_out, random);
}

RelativePositions random_relative(const Problem& problem, bool content_to_position,
                                  bool position_to_content, PortableRandom& random) {
  constexpr Index kFarthest = 3;
  RelativePositions relative;
  relative.embedding = SharedMatrix(random_matrix(2 * kFarthest, problem.config.d_model, random));
  relative.distances.before = problem.kv_len() - 1;
  for (Index distance = -relative.distances.before; distance < problem.seq_len(); ++distance)
    relative.distances.rows.push_back(
        std::clamp<Index>(distance + kFarthest, 0, 2 * kFarthest - 1));
  relative.content_to_position = content_to_position;
  relative.position_to_content = position_to_content;
  return relative;
}

void add_position_maps(Problem& problem, PortableRandom& random) {
  const Config& config = problem.config;
  for (int head = 0; head < config.n_heads; ++head)
    problem.relative->maps.push_back(
        {random_weight(config.d_model, config.d_k, random), random_row(config.d_k, random),
         random_weight(config.d_model, config.d_k, random), random_row(config.d_k, random)});
}

std::string complaint(Problem problem, const std::function<void(Problem&)>& change) {
  change(problem);
  try {
    validate(problem);
    return "";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

Index head_count(const Trace& trace, Stage stage) {
  return is_per_head(stage) ? std::ssize(trace.heads) : 1;
}

}  // namespace attention::test
