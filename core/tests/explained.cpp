#include "core/tests/explained.h"

#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "core/layer/positions.h"
#include "core/layer/relative_scores.h"
#include "core/tests/random_problem.h"

namespace attention::test {
namespace {

float number(const Matrix& matrix, const CellRef& cell) {
  if (cell.row < 0 || cell.row >= matrix.rows() || cell.col < 0 || cell.col >= matrix.cols()) {
    throw std::out_of_range(std::string(cell.matrix) + " has no such cell");
  }
  return matrix(cell.row, cell.col);
}

// Empty when no matrix of the problem has that name.
SharedMatrix parameter_named(const Problem& problem, const CellRef& cell) {
  const Parameters& all = problem.parameters;
  const QueryParameters& head = all.heads.at(static_cast<size_t>(cell.head));
  const KeyValueParameters& kv = problem.kv_parameters(cell.head);
  if (cell.matrix == "head_bias") return problem.head_bias.at(static_cast<size_t>(cell.head));
  const std::pair<std::string_view, SharedMatrix> named[] = {
      {"bias", problem.bias},
      {"position_table", problem.position_table},
      {"position_table_kv", problem.position_table_kv},
      {"W_Q", head.W_Q},
      {"b_Q", head.b_Q},
      {"sink", head.sink},
      {"W_K", kv.W_K},
      {"b_K", kv.b_K},
      {"W_V", kv.W_V},
      {"b_V", kv.b_V},
      {"W_O", all.W_O},
      {"b_O", all.b_O},
      {"norm_Q", all.norm_Q},
      {"norm_K", all.norm_K}};
  for (const auto& [name, matrix] : named) {
    if (name == cell.matrix) return matrix;
  }
  return {};
}

// Numbers that belong to no matrix.
float computed_number(const Problem& problem, const CellRef& cell) {
  const Config& config = problem.config;
  const std::string_view name = cell.matrix;
  if (name == "gain") return head_gain(problem, cell.head);
  if (name == "slope") return alibi_slope(static_cast<int>(cell.head), config.n_heads);
  if (name == "distance") return static_cast<float>(std::abs(cell.row - cell.col));
  if (name == "P_K") return number(position_keys(problem, cell.head), cell);
  if (name == "P_Q") return number(position_queries(problem, cell.head), cell);
  const double angle = rotary_angle(problem, cell.row, cell.col);
  if (name == "cos") return static_cast<float>(std::cos(angle) * config.rotary_scale);
  if (name == "sin") return static_cast<float>(std::sin(angle) * config.rotary_scale);
  throw std::out_of_range("no number is called " + std::string(name));
}

}  // namespace

float Explained::value_at(const CellRef& cell) const {
  if (const auto stage = stage_from_name(cell.matrix)) {
    return number(matrix(*stage, cell.head), cell);
  }
  const SharedMatrix parameter = parameter_named(problem_, cell);
  return parameter.empty() ? computed_number(problem_, cell) : number(*parameter, cell);
}

Config small_config() {
  Config config;
  config.d_model = 6;
  config.n_heads = 3;
  config.d_k = 4;
  config.d_v = 3;
  config.d_out = 6;
  return config;
}

Problem problem_of(const Config& config, Index seq_len, Index kv_len) {
  PortableRandom random(72);
  Problem problem = random_problem(config, seq_len, kv_len, random);
  add_biases(problem, random);
  return problem;
}

Problem plain_problem() { return problem_of(small_config()); }
Explained plain() { return Explained(plain_problem()); }

Cells cells(const Explanation& e) {
  Cells result;
  for (const Term& term : e.terms) {
    result.push_back(term.a.cell);
    if (term.b) result.push_back(term.b->cell);
  }
  return result;
}

}  // namespace attention::test
