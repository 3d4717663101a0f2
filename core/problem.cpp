#include "core/problem.h"

#include <stdexcept>
#include <string>

#include "core/shape_text.h"

namespace attention {
namespace {

// A shape that is asked for, and what its sides are called.
struct Wanted {
  Index rows, cols;
  const char* sides;
};

void check_shape(const std::string& name, const SharedMatrix& matrix, const Wanted& wanted) {
  if (matrix.shape() == Shape{wanted.rows, wanted.cols}) return;
  throw std::invalid_argument(name + " is " + shape_text(matrix->rows(), matrix->cols()) +
                              ", it must be " + shape_text(wanted.rows, wanted.cols) + " (" +
                              wanted.sides + ")");
}

void check_optional(const std::string& name, const SharedMatrix& matrix, const Wanted& wanted) {
  if (!matrix.empty()) check_shape(name, matrix, wanted);
}

void check_length(const char* name, Index value) {
  if (value >= 1 && value <= Limits::kSeqLen) return;
  throw std::invalid_argument(std::string(name) + " is " + std::to_string(value) +
                              ", it must be 1 … " + std::to_string(Limits::kSeqLen));
}

void check_lengths(const Problem& problem) {
  check_length("seq_len", problem.seq_len());
  check_length("kv_len", problem.kv_len());
  const Index scores = problem.config.n_heads * problem.seq_len() * problem.kv_len();
  if (scores > Limits::kScores) {
    throw std::invalid_argument("n_heads · seq_len · kv_len is " + std::to_string(scores) +
                                ", it must be at most " + std::to_string(Limits::kScores));
  }
}

void check_inputs(const Problem& problem) {
  const Index seq_len = problem.seq_len(), kv_len = problem.kv_len();
  check_shape("X", problem.X, {seq_len, problem.config.d_model, "seq_len × d_model"});
  check_optional("X_kv", problem.X_kv, {kv_len, problem.config.d_model, "kv_len × d_model"});
  check_optional("the mask", problem.allowed, {seq_len, kv_len, "seq_len × kv_len"});
  check_optional("bias", problem.bias, {seq_len, kv_len, "seq_len × kv_len"});
}

void check_head(const HeadParameters& head, const std::string& number, const Config& config) {
  const std::string of_head = " of head_" + number;
  check_shape("W_Q" + of_head, head.W_Q, {config.d_model, config.d_k, "d_model × d_k"});
  check_shape("W_K" + of_head, head.W_K, {config.d_model, config.d_k, "d_model × d_k"});
  check_shape("W_V" + of_head, head.W_V, {config.d_model, config.d_v, "d_model × d_v"});
  check_optional("b_Q" + of_head, head.b_Q, {1, config.d_k, "1 × d_k"});
  check_optional("b_K" + of_head, head.b_K, {1, config.d_k, "1 × d_k"});
  check_optional("b_V" + of_head, head.b_V, {1, config.d_v, "1 × d_v"});
}

void check_parameters(const Parameters& parameters, const Config& config) {
  const size_t count = parameters.heads.size();
  if (count != static_cast<size_t>(config.n_heads)) {
    throw std::invalid_argument("there are weights for " + std::to_string(count) +
                                " heads, n_heads is " + std::to_string(config.n_heads));
  }
  for (size_t h = 0; h < count; ++h) {
    check_head(parameters.heads[h], std::to_string(h + 1), config);
  }
  const Index concat_cols = Index{config.n_heads} * config.d_v;
  check_shape("W_O", parameters.W_O, {concat_cols, config.d_out, "n_heads·d_v × d_out"});
  check_optional("b_O", parameters.b_O, {1, config.d_out, "1 × d_out"});
}

}  // namespace

void validate(const Problem& problem) {
  validate(problem.config);
  check_lengths(problem);
  check_inputs(problem);
  check_parameters(problem.parameters, problem.config);
}

}  // namespace attention
