#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>

#include "core/problem.h"
#include "core/shape_text.h"

namespace attention {
namespace {

// A matrix of the problem as a message names it; heads from 0, none below that.
struct Named {
  const char* name;
  const SharedMatrix& matrix;
  Index head = -1;
  const char* kind_of_head = " of head_";

  std::string text() const {
    return head < 0 ? name : name + std::string(kind_of_head) + std::to_string(head + 1);
  }
};

// A shape that is asked for, and what its sides are called.
struct Wanted {
  Index rows, cols;
  const char* sides;
};

void check_shape(const Named& named, const Wanted& wanted) {
  const Matrix& matrix = *named.matrix;
  if (matrix.rows() == wanted.rows && matrix.cols() == wanted.cols) return;
  throw std::invalid_argument(named.text() + " is " + shape_text(matrix.rows(), matrix.cols()) +
                              ", it must be " + shape_text(wanted.rows, wanted.cols) + " (" +
                              wanted.sides + ")");
}

void check_optional(const Named& named, const Wanted& wanted) {
  if (!named.matrix.empty()) check_shape(named, wanted);
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

// What an evaluation holds at most: every stage, and the output's part of every head.
Index most_numbers(const Problem& problem) {
  const Config& c = problem.config;
  const Index n = problem.seq_len(), m = problem.kv_len();
  const Index of_head = 5 * n * m + 2 * (n + m) * c.d_k + (2 * n + m) * c.d_v + n * c.d_out;
  return c.n_heads * of_head + 2 * (n + m) * c.d_model + 3 * n * c.d_out;
}

void check_numbers(const Problem& problem) {
  const Index count = most_numbers(problem);
  if (count <= Limits::kNumbers) return;
  throw std::invalid_argument("the stages would hold " + std::to_string(count) +
                              " numbers together, they may hold at most " +
                              std::to_string(Limits::kNumbers));
}

// Rows beyond those that are read may be there.
void check_table(const Named& named, Index rows, Index cols) {
  const Matrix& table = *named.matrix;
  if (table.cols() == cols && table.rows() >= rows) return;
  throw std::invalid_argument(named.text() + " is " + shape_text(table.rows(), table.cols()) +
                              ", it must be at least " + shape_text(rows, cols) +
                              " (positions × d_model)");
}

void check_inputs(const Problem& problem) {
  const Index seq_len = problem.seq_len(), kv_len = problem.kv_len();
  const Index d_model = problem.config.d_model;
  check_shape({"X", problem.embedding}, {seq_len, d_model, "seq_len × d_model"});
  check_optional({"X_kv", problem.embedding_kv}, {kv_len, d_model, "kv_len × d_model"});
  check_optional({"the mask", problem.allowed}, {seq_len, kv_len, "seq_len × kv_len"});
  check_optional({"bias", problem.bias}, {seq_len, kv_len, "seq_len × kv_len"});
  if (problem.config.positions != Positions::kLearned) return;
  check_table({"position_table", problem.position_table}, seq_len, d_model);
  const bool own_table = problem.cross() && !problem.position_table_kv.empty();
  check_table({own_table ? "position_table_kv" : "position_table", problem.kv_position_table()},
              kv_len, d_model);
}

void check_query_head(const QueryParameters& head, Index number, const Config& config) {
  check_shape({"W_Q", head.W_Q, number}, {config.d_model, config.d_k, "d_model × d_k"});
  check_optional({"b_Q", head.b_Q, number}, {1, config.d_k, "1 × d_k"});
}

void check_kv_head(const KeyValueParameters& head, Index number, const Config& config) {
  const char* const kind = config.n_kv_heads == 0 ? " of head_" : " of key and value head_";
  check_shape({"W_K", head.W_K, number, kind}, {config.d_model, config.d_k, "d_model × d_k"});
  check_shape({"W_V", head.W_V, number, kind}, {config.d_model, config.d_v, "d_model × d_v"});
  check_optional({"b_K", head.b_K, number, kind}, {1, config.d_k, "1 × d_k"});
  check_optional({"b_V", head.b_V, number, kind}, {1, config.d_v, "1 × d_v"});
}

void check_count(const char* what, size_t count, const char* name, int wanted) {
  if (count == static_cast<size_t>(wanted)) return;
  throw std::invalid_argument("there are " + std::string(what) + " for " + std::to_string(count) +
                              " heads, " + name + " is " + std::to_string(wanted));
}

void check_parameters(const Parameters& parameters, const Config& config) {
  validate_head_counts(parameters, config);
  for (Index h = 0; h < std::ssize(parameters.heads); ++h) {
    check_query_head(parameters.heads[static_cast<size_t>(h)], h, config);
  }
  for (Index h = 0; h < std::ssize(parameters.kv_heads); ++h) {
    check_kv_head(parameters.kv_heads[static_cast<size_t>(h)], h, config);
  }
  const Index concat_cols = Index{config.n_heads} * config.d_v;
  check_shape({"W_O", parameters.W_O}, {concat_cols, config.d_out, "n_heads·d_v × d_out"});
  check_optional({"b_O", parameters.b_O}, {1, config.d_out, "1 × d_out"});
  check_optional({"gamma", parameters.gamma}, {1, config.d_out, "1 × d_out"});
  check_optional({"beta", parameters.beta}, {1, config.d_out, "1 × d_out"});
}

std::string head_text(Index head) { return "head_" + std::to_string(head + 1); }

std::string place_text(const Override& o) {
  std::string text(stage_name(o.stage));
  if (is_per_head(o.stage)) text += " of " + head_text(o.head);
  return text + " at (" + std::to_string(o.row) + ", " + std::to_string(o.col) + ")";
}

void check_overridden_stage(const Override& o) {
  if (std::ranges::find(kAllStages, o.stage) == kAllStages.end()) {
    throw std::invalid_argument("an override is of stage number " +
                                std::to_string(static_cast<int>(o.stage)) + ", it must be 0 … " +
                                std::to_string(kAllStages.size() - 1));
  }
  if (o.stage == Stage::kEmbedding || o.stage == Stage::kEmbeddingKv) {
    throw std::invalid_argument(place_text(o) + " is an input: it is edited, not overridden");
  }
}

// The first of the heads that have the overridden matrix in common.
Index first_of_sharing(const Config& config, const Override& o) {
  if (!is_per_head(o.stage)) return 0;
  const int sharing = is_per_kv_head(o.stage) ? heads_per_kv_head(config) : 1;
  return o.head / sharing * sharing;
}

void check_overridden_head(const Config& config, const Override& o) {
  if (o.head < 0 || o.head >= config.n_heads) {
    throw std::invalid_argument("there is no " + head_text(o.head) + " among " +
                                std::to_string(config.n_heads) + ": " + place_text(o) +
                                " cannot be overridden there");
  }
  const Index first = first_of_sharing(config, o);
  if (o.head == first) return;
  throw std::invalid_argument(place_text(o) + " is not of " + head_text(o.head) +
                              " alone: it is overridden in " + head_text(first));
}

void check_overridden_cell(const Problem& problem, const Override& o) {
  const bool absent = o.stage == Stage::kXKv && !problem.cross();
  const Shape shape = absent ? Shape{} : stage_shape(problem, o.stage);
  if (o.row >= 0 && o.row < shape.rows && o.col >= 0 && o.col < shape.cols) return;
  throw std::invalid_argument("there is no cell to override: " + place_text(o) + ", the stage is " +
                              shape_text(shape.rows, shape.cols));
}

void check_override(const Problem& problem, const Override& o) {
  check_overridden_stage(o);
  check_overridden_head(problem.config, o);
  check_overridden_cell(problem, o);
}

auto place(const Override& o) { return std::tuple(o.stage, o.head, o.row, o.col); }

void check_overrides(const Problem& problem) {
  if (problem.overrides.empty()) return;
  for (const Override& o : problem.overrides) check_override(problem, o);
  std::vector<Override> sorted = problem.overrides;
  std::ranges::sort(sorted, {}, place);
  const auto twice = std::ranges::adjacent_find(sorted, {}, place);
  if (twice != sorted.end()) {
    throw std::invalid_argument(place_text(*twice) + " is overridden twice");
  }
}

}  // namespace

void validate_head_counts(const Parameters& parameters, const Config& config) {
  check_count("query weights", parameters.heads.size(), "n_heads", config.n_heads);
  check_count("key and value weights", parameters.kv_heads.size(),
              config.n_kv_heads == 0 ? "n_heads" : "n_kv_heads", kv_head_count(config));
}

void validate(const Problem& problem) {
  validate(problem.config);
  check_lengths(problem);
  check_numbers(problem);
  check_inputs(problem);
  check_parameters(problem.parameters, problem.config);
  if (!problem.head_mix.empty()) {
    check_count("mixes", problem.head_mix.size(), "n_heads", problem.config.n_heads);
  }
  check_overrides(problem);
}

}  // namespace attention
